import type { EpochMillis } from '../../../units.ts';

/** What a workspace is made of, in Slack's words. Records are replaced when something changes, never written into. */

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

export interface User {
  readonly id: string;
  /** The handle: "dana". */
  readonly name: string;
  readonly realName: string;
  readonly title: string;
  readonly isBot: boolean;
  readonly isAdmin: boolean;
}

/** The app whose manifest the workspace was started with. */
export interface AppIdentity {
  readonly appId: string;
  readonly botId: string;
  readonly botUserId: string;
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}

export interface Channel {
  readonly id: string;
  /** Without the number sign; empty for a direct message. */
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  readonly topic: string;
  readonly members: readonly string[];
  readonly isArchived: boolean;
  /** Shared with another organisation. */
  readonly isExternallyShared: boolean;
}

/** A block of Block Kit that was checked on its way in. */
export interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly [field: string]: unknown;
}

export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The `ts` that its poster named as the parent; absent on messages outside threads. */
  readonly threadTs?: string;
  /** A reply that is also shown in the channel. */
  readonly isBroadcast: boolean;
  readonly metadata?: Metadata;
  readonly files: readonly string[];
  readonly editedTs?: string;
  /** Names of reactions, each with who reacted. */
  readonly reactions: Readonly<Record<string, readonly string[]>>;
  /** The only one who sees it: then it is in no history and cannot be edited by the Web API. */
  readonly visibleTo?: string;
}

export interface Share {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
}

export interface WorkspaceFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly user: string;
  readonly createdAtMillis: EpochMillis;
  readonly bytes: Uint8Array;
  /** `reserved`: an upload URL was given out; `processing`: completed, but Slack does not know yet what it is. */
  readonly state: 'reserved' | 'uploaded' | 'processing' | 'ready' | 'deleted';
  readonly declaredLength: number;
  readonly mimetype: string;
  readonly filetype: string;
  readonly size?: { readonly widthPx: number; readonly heightPx: number };
  readonly shares: readonly Share[];
}

/** A modal or a Home, with the fields of Block Kit's view as the app sent them. */
export interface View {
  readonly id: string;
  readonly user: string;
  readonly type: 'modal' | 'home';
  readonly hash: string;
  readonly rootViewId: string;
  readonly previousViewId?: string;
  readonly definition: ViewDefinition;
}

export interface ViewDefinition {
  readonly type: 'modal' | 'home';
  readonly blocks: readonly Block[];
  readonly title?: { readonly text: string };
  readonly submit?: { readonly text: string };
  readonly close?: { readonly text: string };
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly external_id: string;
  readonly notify_on_close: boolean;
  readonly clear_on_close: boolean;
}
