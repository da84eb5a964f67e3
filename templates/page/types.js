/**
 * What the server tells the page. Messages, views and blocks are Slack's own JSON.
 *
 * @typedef {{ type: string, text: string }} TextObject
 * @typedef {{ type: string, block_id: string, [field: string]: any }} Block
 * @typedef {{ type: string, action_id: string, [field: string]: any }} Element
 * @typedef {{ id: string, name: string, title: string, filetype: string, mimetype: string, size: number,
 *   url_private?: string, original_w?: number, original_h?: number }} FileObject
 * @typedef {{ channel: string, ts: string, user: string, text: string, blocks?: Block[], files?: FileObject[],
 *   thread_ts?: string, subtype?: string, reply_count?: number, reply_users?: string[], latest_reply?: string,
 *   edited?: object, reactions?: { name: string, users: string[], count: number }[],
 *   visible_to: string | null, permalink: string }} Message
 * @typedef {{ id: string, name: string, kind: 'public' | 'private' | 'im', topic: string, members: string[],
 *   isMember: boolean, hasApp: boolean, lastReadTs: string, messages: Map<string, Message> }} Channel
 * @typedef {{ id: string, name: string, realName: string, title: string, isBot: boolean, isAdmin: boolean }} User
 * @typedef {{ id: string, hash: string, type: 'modal' | 'home', title: TextObject | null,
 *   submit: TextObject | null, close: TextObject | null, blocks: Block[] }} View
 * @typedef {{ command: string, description: string, usageHint: string }} Command
 * @typedef {{ name: string, callbackId: string }} Shortcut
 * @typedef {{ title: string, text?: string, suggestions?: { command: string, about?: string }[] }} Notice
 * @typedef {{ what: string, truth: string, how: string }} Truth
 * @typedef {{ team: { name: string }, app: { userId: string, name: string, description: string, hasHome: boolean },
 *   me: string, users: User[], people: string[], userGroups: { id: string, handle: string }[], commands: Command[],
 *   shortcuts: Shortcut[], notice: Notice | null, truths: Truth[] }} Frame
 *
 * Where something of Block Kit stands: in a message or in a view.
 * @typedef {{ message: Message } | { view: View }} Surface
 */
export {};
