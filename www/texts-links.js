// @ts-check
// What is said of links and of the address.

/** @type {Record<string, string>} */
export const linksEn = {
  'share.names.note': 'The address bar follows this choice too.',
  'share.copied.kept': 'Link copied: {length} characters, with names.',
  'share.copied.hashed': 'Link copied: {length} characters, names hashed.',
  'share.copied.dropped': 'Link copied: {length} characters, without names.',
  'share.broken.damaged': 'This link does not carry a plan that can be read',
  'share.broken.damaged.hint': 'ask for it again: links are often cut when they are sent',
  'share.broken.newer': 'This link was made by a newer version of this page',
  'share.broken.newer.hint': 'reload this page to get that version',
  'fail.link': 'This link is damaged',
  'fail.newer-link': 'A newer Arenascope made this link',
  'from.title': 'Where this address leads',
  'from.plan': '{name}, from a link.',
  'from.plan.note': 'A link carries the plan, not the model: what operations read, constants, other arenas and advice need the file. Open it again and this view is kept.',
  'from.plan.figures': 'The arena to set was computed where the link was made.',
  'from.view': 'This address leads to {name} (SHA-256 {sha256}…).',
  'from.view.note': 'Its plan is too long for an address. Open the file, and you are back at the same view.',
  'from.beside': 'The comparison with other options comes back with the file too.',
  'from.absent': 'It was compared with {name} (SHA-256 {sha256}…).',
  'from.absent.note': 'An address does not hold that file. Open it again, and the two lie over each other as before.',
  'from.unnamed.file': 'another file',
  'from.open': 'Open the file…',
  'from.close': 'Close this note',
  'from.other': 'This is another file than the one the address leads to.',
  'from.same': '{name} is the file the address leads to; the view was kept.',
  'from.unnamed': 'unnamed plan',
};
