import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import {
  insertScenarioDeliveries,
  type SendingNode,
  messageForNode,
  type NodeMessage,
  type ScenarioRecipient,
} from '../src/features/deliveries/index.ts'
import { newId } from '../src/kernel/ids.ts'
import type { TransactionScope } from '../src/kernel/merchant-scope.ts'
import type { TestMerchant } from './harness.ts'
import { readMail, startMailServer, type TestMailServer } from './mail-server.ts'
import * as scenarios from './scenarios.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

// Mails of scenarios from their node to whom they reach, without the scenarios that ask for them.

interface Got extends Email {
  recipients: string[]
}
/** What the mail server took in the present test. */
export const got: Got[] = []
/** Addresses at which the connection breaks after the body. */
export const dropped = new Set<string>()

export function withScenarioMail(): void {
  let server: TestMailServer
  beforeAll(async () => {
    server = await startMailServer({
      onData(stream, session, callback) {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        void readMail(stream).then((mail) => {
          if (recipients.some((address) => dropped.has(address))) return server.hangUp(session)
          got.push({ ...mail, recipients })
          callback()
        }, callback)
      },
    })
  })
  afterAll(() => server.close())
  withOkaeri(() => ({ smtpUrl: server.url }))
  beforeEach(() => {
    got.length = 0
    dropped.clear()
  })
}

export const addScenario = (merchant: TestMerchant): Promise<string> =>
  scenarios.addScenario(merchant.scope(), scenarios.flowOf([]), 'お誕生日')
export const nodeOf = (scenarioId: string, contentId: string, over: Partial<SendingNode> = {}): SendingNode => ({
  scenarioId,
  nodeId: 'mail',
  version: 1,
  channel: 'email',
  contentId,
  trackingParameters: null,
  priority: 'normal',
  postPurchase: false,
  consentKind: 'marketing',
  forTests: false,
  ...over,
})
export const visit = (customerId: string | null, over: Partial<ScenarioRecipient> = {}): ScenarioRecipient => ({
  executionId: newId(),
  round: 1,
  customerId,
  variables: null,
  skip: null,
  ...over,
})
export async function write(
  scope: TransactionScope,
  node: SendingNode,
  visits: readonly ScenarioRecipient[],
  ignoresConsent = false,
): Promise<string[]> {
  const message = (await messageForNode(scope, node)) as NodeMessage
  const { scenarioId, nodeId } = node
  return insertScenarioDeliveries(scope, { scenarioId, nodeId, message, ignoresConsent }, visits)
}
export const writeNow = (
  merchant: TestMerchant,
  node: SendingNode,
  visits: readonly ScenarioRecipient[],
  toAll = false,
) => merchant.scope().transaction((scope) => write(scope, node, visits, toAll))
export async function statusesOf(merchant: TestMerchant, scenarioId: string): Promise<[string, string | null][]> {
  const rows = await okaeri.query<{ status: string; reason: string | null }>`select status, reason from deliveries
    where merchant_id = ${merchant.id} and scenario_id = ${scenarioId} order by id`
  return rows.map(({ status, reason }) => [status, reason])
}
