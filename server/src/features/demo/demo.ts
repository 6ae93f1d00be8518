import { findSandboxLineAccount, listSandboxLinePeople } from '../../integrations/line/sandbox-account.ts'
import { normalizeEmail } from '@okaeri/contract/fields'
import { lineSamples } from '@okaeri/contract/line-messages/samples'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { NO_CONDITIONS } from '@okaeri/contract/scenarios/scenario'
import type { Context } from '../../kernel/context.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { randomToken } from '../../kernel/keyring.ts'
import { type MerchantScope, merchantScope, scopeIn } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { listCustomerIdsByAddress } from '../customers/index.ts'
import { addTester, linkFriend } from '../line-friends/index.ts'
import { changeLineAccount, findLineAccount, setLineWebhook } from '../line-accounts/index.ts'
import { createLineMessage } from '../line-messages/index.ts'
import { changeSettings, confirmUnasked, createMerchant, findSignIn, setPlan } from '../merchants/index.ts'
import { saveFlow, createScenario, enableScenario } from '../scenarios/index.ts'
import { hashPassword, setPasswordOf, signsInWith } from '../sessions/index.ts'
import { connectSandboxStore, findStore } from '../stores/index.ts'
import { hasLineMessages, lockExamples } from './queries.ts'

export const DEMO_EMAIL = 'demo@okaeri.test'
/** It belongs to the sandbox, so no owner has to confirm it. */
const DEMO_SENDER = 'shop@okaeri-store.test'
const DEMO_SHOP = 'okaeri-sandbox.myshopify.com'

export interface Demo {
  email: string
  /** Null if it was made, and printed, at an earlier start. */
  password: string | null
}

/** The demo merchant; created if missing. `password`: the password to set, null to keep it (or make one). */
export async function prepareDemo(context: Context, password: string | null): Promise<Demo> {
  if (await findSignIn(context, DEMO_EMAIL)) return keepDemo(context, password)
  const chosen = password ?? randomToken(12)
  try {
    await createDemo(context, chosen)
  } catch (error) {
    // Another process that started at the same moment was first.
    if (error instanceof AppError && error.reason === 'email_taken') return keepDemo(context, password)
    throw error
  }
  return { email: DEMO_EMAIL, password: chosen }
}

async function keepDemo(context: Context, password: string | null): Promise<Demo> {
  // Setting it again would end all sessions at each start.
  if (password && !(await signsInWith(context, DEMO_EMAIL, password)))
    await setPasswordOf(context, DEMO_EMAIL, password)
  return { email: DEMO_EMAIL, password }
}

async function createDemo(context: Context, password: string): Promise<void> {
  const passwordHash = await hashPassword(password)
  await context.db.transaction().execute(async (transaction) => {
    const scope = scopeIn(context, transaction, newId())
    const memberId = await createMerchant(scope, {
      siteName: 'おかえり商店',
      language: 'ja',
      owner: { email: DEMO_EMAIL, name: '山田 花子', passwordHash },
      signIn: 'required',
    })
    await confirmUnasked(scope, { purpose: 'account', email: DEMO_EMAIL, memberId })
    await confirmUnasked(scope, { purpose: 'sender', email: DEMO_SENDER, memberId })
    await setPlan(scope, 'pro', { trial: false })
    await changeSettings(scope, memberId, {
      sender_name: 'おかえり商店',
      sender_email: DEMO_SENDER,
      reply_to: 'support@okaeri-store.test',
      staff_email: 'support@okaeri-store.test',
      staff_phone: '03-1234-5678',
      postal_address: '〒150-0001 東京都渋谷区神宮前1-2-3 おかえりビル4F',
    })
  })
}

/** Contexts whose store is known to be connected, so that it is not checked again. */
const connected = new WeakSet<Context>()

/** Connects the demo merchant to the sandbox's store as soon as the sandbox answers. */
export const connectDemoStore: Recurring = {
  name: 'demo.connect_store',
  everyMs: 3000,
  async run(context) {
    if (!context.settings.sandboxUrl || !context.integrations.shopify || connected.has(context)) return false
    const found = await findSignIn(context, DEMO_EMAIL)
    if (!found) return false
    const scope = merchantScope(context, found.merchant_id)
    if (await findStore(scope)) {
      connected.add(context)
      return false
    }
    try {
      await connectSandboxStore(scope, DEMO_SHOP)
      return true
    } catch (error) {
      if (error instanceof IntegrationError && error.retryable) return false
      throw error
    }
  },
}

const connectedByLine = new WeakSet<Context>()

/** Connects the demo merchant to the sandbox's official account. A member's changes stay. */
export const connectDemoLine: Recurring = {
  name: 'demo.connect_line',
  everyMs: 3000,
  async run(context) {
    if (!context.settings.sandboxUrl || connectedByLine.has(context)) return false
    const found = await findSignIn(context, DEMO_EMAIL)
    if (!found) return false
    const scope = merchantScope(context, found.merchant_id)
    // A row without a channel was disconnected by a member.
    if (await findLineAccount(scope)) {
      connectedByLine.add(context)
      return false
    }
    try {
      const account = await findSandboxLineAccount(context)
      if (!account) return false
      await changeLineAccount(scope, { ...account, login_enabled: true })
      await setLineWebhook(scope)
      return true
    } catch (error) {
      if (error instanceof IntegrationError && error.retryable) return false
      if (error instanceof AppError && error.reason === 'line_unreachable') return false
      throw error
    }
  },
}

/** Links friends of the official account whose addresses the store's copy has, as if they had logged in with LINE. Once. */
export const linkDemoFriends: Recurring = {
  name: 'demo.link_friends',
  everyMs: 5000,
  async run(context) {
    if (!context.settings.sandboxUrl || linked.has(context)) return false
    const found = await findSignIn(context, DEMO_EMAIL)
    if (!found) return false
    const scope = merchantScope(context, found.merchant_id)
    if (!(await findLineAccount(scope))?.channel_id || !(await context.ports.customersAreCopied(scope))) return false
    let [someLinked, allKnown] = [false, true]
    for (const { lineUserId, email } of await listSandboxLinePeople(context)) {
      const [customerId] = email ? await listCustomerIdsByAddress(scope, normalizeEmail(email)) : []
      const outcome = customerId ? await linkUnlessTaken(scope, lineUserId, customerId) : 'settled'
      someLinked ||= outcome === 'linked'
      allKnown &&= outcome !== 'unknown'
    }
    // Friends are read page by page, so some are unknown until the last page.
    if (allKnown) linked.add(context)
    return someLinked
  },
}
const linked = new WeakSet<Context>()

const KEYWORD = '連携'

/**
 * Once all friends are known: two of them become testers, and a scenario answers the keyword with the link to connect the account. Once; what a
 * member changes or deletes stays so.
 */
export const makeDemoExamples: Recurring = {
  name: 'demo.line_examples',
  everyMs: 5000,
  async run(context) {
    if (!linked.has(context) || exampled.has(context)) return false
    const found = await findSignIn(context, DEMO_EMAIL)
    if (!found) return false
    const scope = merchantScope(context, found.merchant_id)
    const made = await scope.transaction(async (locked) => {
      await lockExamples(locked)
      if (await hasLineMessages(locked)) return false
      await makeExamples(scope)
      return true
    })
    exampled.add(context)
    return made
  },
}
const exampled = new WeakSet<Context>()

async function makeExamples(scope: MerchantScope): Promise<void> {
  const people = await listSandboxLinePeople(scope.context)
  for (const { lineUserId } of people.filter(({ email }) => email !== null).slice(0, 2))
    await addTester(scope, lineUserId)
  const { name, content } = lineSamples.link_account.ja
  const { line_message } = await createLineMessage(scope, { ...content, name })
  const { id } = await createScenario(scope, { name, template: null, form: {}, conditions: NO_CONDITIONS })
  const settings = { line_message_id: line_message.id, tracking_parameters: null }
  const flow: Flow = {
    trigger: { kind: 'line_message', keyword: KEYWORD, match: 'whole' },
    condition: null,
    reentry: { mode: 'always' },
    ends_on: [],
    start: 'link',
    nodes: [{ id: 'link', kind: 'send_line', name: '', position: { x: 0, y: 0 }, settings, next: { next: null } }],
  }
  await saveFlow(scope, id, { flow, version_seen: null, move: false })
  await enableScenario(scope, id)
}

/** A friend linked to another customer meanwhile stays so. `unknown`: the friend was not read yet. */
async function linkUnlessTaken(
  scope: MerchantScope,
  lineUserId: string,
  customerId: string,
): Promise<'linked' | 'settled' | 'unknown'> {
  try {
    return (await linkFriend(scope, lineUserId, customerId)) ? 'linked' : 'settled'
  } catch (error) {
    if (error instanceof AppError && error.reason === 'line_account_taken') return 'settled'
    if (error instanceof AppError && error.reason === 'not_found') return 'unknown'
    throw error
  }
}
