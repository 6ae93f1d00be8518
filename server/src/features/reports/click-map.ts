import type { AbGroup } from '@okaeri/contract/campaigns/ab-test'
import type { Locale } from '@okaeri/contract/locale'
import type { ClickMap, StepClickMap } from '@okaeri/contract/reports/routes'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type FrozenMail, findFrozenMail } from '../channels/index.ts'
import { renderSent } from '../emails/index.ts'
import { countClicksByPosition } from '../tracking/index.ts'
import { findMessageOfGroup } from './ab-test-queries.ts'
import { findCampaign, findScenarioBeginning, listStepMessages } from './queries.ts'

/** The mail of a campaign, or of one group of its test, and how often each of its links was clicked. */
export async function getClickMap(
  scope: MerchantScope,
  id: string,
  { group, language }: { group?: AbGroup | undefined; language?: Locale | undefined } = {},
): Promise<ClickMap> {
  const campaign = await findCampaign(scope, id)
  if (!campaign) throw notFound()
  const messageId = group ? await findMessageOfGroup(scope, id, group) : campaign.message_id
  return draw(scope, messageId, { ...campaign, language })
}

/** The mail of a scenario's step, the newest unless another is asked for, and how often each of its links was clicked. */
export async function getStepClickMap(
  scope: MerchantScope,
  id: string,
  {
    node_id: nodeId,
    message_id: asked,
    language,
  }: { node_id: string; message_id?: string | undefined; language?: Locale | undefined },
): Promise<StepClickMap> {
  if (!(await findScenarioBeginning(scope, id))) throw notFound()
  const messages = await listStepMessages(scope, { scenarioId: id, nodeId })
  const message = asked === undefined ? messages[0] : messages.find((each) => each.id === asked)
  if (asked !== undefined && !message) throw notFound()
  return {
    ...(await draw(scope, message?.id ?? null, {
      ...(message ?? { tracking_enabled: true, test_mode: false }),
      language,
    })),
    message_id: message?.id ?? null,
    messages: messages.map((each) => ({ id: each.id, from: each.created_at.toISOString() })),
  }
}

async function draw(
  scope: MerchantScope,
  messageId: string | null,
  {
    tracking_enabled,
    test_mode,
    language: asked,
  }: { tracking_enabled: boolean; test_mode: boolean; language: Locale | undefined },
): Promise<ClickMap> {
  const frozen = messageId ? await findFrozenMail(scope, messageId) : null
  const variant = frozen?.variants.find(({ language }) => language === asked)
  // What was asked for and is not there is no other language's map.
  if (asked !== undefined && !variant) throw notFound()
  const mail = frozen && { ...frozen, ...variant }
  const [from, until] = frozen ? linksIn(frozen, variant) : [0, 0]
  // The message's id was not known when the mail was written: no anchor of its author's is taken for a link of ours.
  const mark = `link-${messageId ?? ''}-`
  const clicks = new Map(
    (messageId ? await countClicksByPosition(scope, messageId) : []).map((counts) => [counts.position, counts]),
  )
  return {
    mail:
      mail &&
      (await renderSent(
        scope,
        { ...mail, sender: { name: mail.from_name, email: mail.from_email } },
        (position) => `#${mark}${position - from}`,
      )),
    mark,
    tracking_enabled,
    test_mode,
    links: (mail?.links ?? []).slice(from, until).map((url, at) => ({
      position: at,
      url,
      click_count: clicks.get(from + at)?.human ?? 0,
      machine_click_count: clicks.get(from + at)?.machine ?? 0,
    })),
    language: variant?.language ?? null,
    languages: frozen ? [null, ...frozen.variants.map(({ language }) => language)] : [],
    counted_at: scope.now.toISOString(),
  }
}

/** Where in the links of a message those of one language stand. */
function linksIn(mail: FrozenMail, variant: FrozenMail['variants'][number] | undefined): [number, number] {
  const from = variant?.first_link ?? 0
  const { variants } = mail
  const behind = variant ? variants.slice(variants.indexOf(variant) + 1) : variants
  return [from, behind[0]?.first_link ?? mail.links.length]
}
