import { type LineAccount, lineAccount } from './account.ts'
import { type LineHosts, openLineConnection } from './connection.ts'
import { type LineLogin, lineLogin } from './login.ts'
import { type LineMenus, lineMenus } from './menus.ts'
import { type LineMessages, lineMessages } from './messages.ts'
import { type LineTokens, lineTokens } from './tokens.ts'

export { classifyLineAnswer, type LineAnswer, type LineOutcome, type LineProblem } from './answer.ts'
export type { FriendCount, LineBot, LineProfile, WebhookTest } from './account.ts'
export { LineError, type LineHosts } from './connection.ts'
export {
  challengeOf,
  type LoginGrant,
  type LoginPerson,
  type LoginSecrets,
  newLoginSecrets,
  type SecretProof,
} from './login.ts'
export type { LineMenu, LineMenuAlias } from './menus.ts'
export type { LineMessage, LineMessages, LineSend, UnitFigures } from './messages.ts'
export type { ChannelSecret, ChannelToken } from './tokens.ts'
export { isSignedByLine } from './webhook-signature.ts'

declare module '../../kernel/context.ts' {
  interface Integrations {
    line: Line
  }
}

/** The LINE platform: one per process, for the channels of all merchants, over connections that are kept open. */
export interface Line {
  messages: LineMessages
  account: LineAccount
  menus: LineMenus
  tokens: LineTokens
  login: LineLogin
  close(): Promise<void>
}

export function createLine(hosts: LineHosts, options: { timeoutMs?: number; wholeMs?: number } = {}): Line {
  const connection = openLineConnection(hosts, options)
  return {
    messages: lineMessages(connection),
    account: lineAccount(connection),
    menus: lineMenus(connection),
    tokens: lineTokens(connection),
    login: lineLogin(connection),
    close: () => connection.close(),
  }
}
