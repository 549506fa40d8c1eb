// @ts-check
// Turns what was dropped or chosen into a list of files, through folders. Nothing is read here.

/** @typedef {import('./folder-types.d.ts').Entry} Entry */
/** @typedef {import('./folder-types.d.ts').Gathered} Gathered */

/** More files than anyone reads verdicts of; a wrong folder (a whole disk) ends here. */
export const MAX_FILES = 5000;
/** Real trees of models are flatter. */
const MAX_DEPTH = 16;
/** Folders of tools, full of small files that are no models. */
const PASSED_OVER = new Set(['.git', 'node_modules', '__MACOSX']);

/** @param {ArrayLike<File>} list @returns {Gathered} */
export function ofList(list) {
  const all = Array.from(list);
  const files = all.filter((file) => !file.webkitRelativePath.split('/').some((part) => PASSED_OVER.has(part)));
  const top = all[0]?.webkitRelativePath.split('/')[0] ?? '';
  const inside = (/** @type {File} */ file) => file.webkitRelativePath.split('/').slice(1).join('/') || file.name;
  const entries = files.slice(0, MAX_FILES).map((file) => ({ path: inside(file), open: async () => file }));
  if (top) entries.sort((a, b) => byPath(a.path, b.path));
  return { title: top, entries, isFolder: top !== '', isCut: files.length > MAX_FILES };
}

/**
 * What a drop holds. Must be called while the event is being handled: afterwards the browser forgets it.
 * @param {DataTransfer} transfer @param {{ isStopped: () => boolean, onFolder: (name: string) => void }} ways
 * @returns {Promise<Gathered>}
 */
export async function ofDrop(transfer, { isStopped, onFolder }) {
  const roots = Array.from(transfer.items).flatMap((item) => (item.kind === 'file' ? [item.webkitGetAsEntry?.() ?? null] : []));
  const files = Array.from(transfer.files);
  const folders = roots.filter((root) => root?.isDirectory);
  if (folders.length === 0) return ofList(files);
  const title = folders.length === 1 && roots.length === 1 ? folders[0]?.name ?? '' : '';
  onFolder(title);
  /** @type {Entry[]} */
  const entries = [];
  let isCut = false;

  /** @param {FileSystemEntry} entry @param {string} path @param {number} depth @returns {Promise<void>} */
  async function walk(entry, path, depth) {
    if (isStopped()) return;
    if (entries.length >= MAX_FILES || depth > MAX_DEPTH) {
      isCut = true;
      return;
    }
    if (entry.isFile) {
      const file = /** @type {FileSystemFileEntry} */ (entry);
      entries.push({ path: path || entry.name, open: () => new Promise((resolve, reject) => file.file(resolve, reject)) });
      return;
    }
    if (PASSED_OVER.has(entry.name)) return;
    const children = await childrenOf(/** @type {FileSystemDirectoryEntry} */ (entry));
    for (const child of children) await walk(child, path ? `${path}/${child.name}` : child.name, depth + 1);
  }

  for (const root of roots) {
    // The only folder's name is the title; of several each begins the paths in it.
    if (root) await walk(root, root.isDirectory && title === '' ? root.name : '', 0);
  }
  return { title, entries, isFolder: true, isCut };
}

/** All children of a folder, by name; none of one that cannot be read. @param {FileSystemDirectoryEntry} folder */
async function childrenOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const children = [];
  try {
    for (;;) {
      // A folder is told in parts, and an empty part is its end.
      const part = await new Promise((/** @type {(part: FileSystemEntry[]) => void} */ resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) break;
      children.push(...part);
      if (children.length > MAX_FILES * 2) break;
    }
  } catch {
    return children;
  }
  return children.sort((a, b) => byPath(a.name, b.name));
}

/** @param {string} a @param {string} b */
function byPath(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
