// @ts-check
// 关于链接与地址栏的文字。

/** @type {Record<string, string>} */
export const linksZh = {
  'share.names.note': '地址栏也按此选择处理名称。',
  'share.copied.kept': '链接已复制：{length} 个字符，含名称。',
  'share.copied.hashed': '链接已复制：{length} 个字符，名称已哈希。',
  'share.copied.dropped': '链接已复制：{length} 个字符，不含名称。',
  'share.broken.damaged': '此链接中没有可读取的规划',
  'share.broken.damaged.hint': '请对方重新发送：链接在发送时常被截断',
  'share.broken.newer': '此链接由本页面的更新版本生成',
  'share.broken.newer.hint': '请重新加载本页面以获取该版本',
  'fail.link': '此链接已损坏',
  'fail.newer-link': '此链接由更新版本的 Arenascope 生成',
  'from.title': '此地址指向的内容',
  'from.plan': '{name}，来自链接。',
  'from.plan.note': '链接只包含规划，不含模型：算子读取的内容、常量、其他 arena 和建议都需要原文件。重新打开该文件，当前视图会保留。',
  'from.plan.figures': '应设置的 arena 大小由生成链接的一方计算。',
  'from.view': '此地址指向 {name}（SHA-256 {sha256}…）。',
  'from.view.note': '其规划太长，地址容纳不下。打开该文件即可回到同一视图。',
  'from.beside': '与其他选项的对比也会随文件恢复。',
  'from.absent': '当时与 {name}（SHA-256 {sha256}…）对比。',
  'from.absent.note': '地址中不含那个文件。再次打开它，两者会像之前一样叠在一起。',
  'from.unnamed.file': '另一个文件',
  'from.open': '打开文件…',
  'from.close': '关闭此说明',
  'from.other': '这不是该地址所指向的文件。',
  'from.same': '{name} 正是该地址所指向的文件，视图已保留。',
  'from.unnamed': '未命名的规划',
};
