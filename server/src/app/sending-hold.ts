import { findCampaign, markUnsentAsUncertain } from '../features/campaigns/index.ts'
import { knowsStoreConsent } from '../features/data-sync/index.ts'
import { describeHold, type Hold, markScenariosUncertain, releaseHold } from '../features/deliveries/index.ts'
import { askAboutDueWakeUps } from '../features/executions/index.ts'
import { findScenarioName } from '../features/flows/index.ts'
import { allMerchants } from '../features/merchants/index.ts'
import { checkRestoredMenus } from '../features/rich-menus/index.ts'
import type { Context } from '../kernel/context.ts'
import type { MerchantScope } from '../kernel/merchant-scope.ts'
import { eachMerchantWithDue } from '../kernel/work/due-merchants.ts'
import { StartupError } from '../kernel/errors.ts'

const WHY: Record<Hold['because'], string> = {
  restored: 'the database is older than what was sent, or was put back from a dump',
  copied: 'the data folder is a copy, put back from a backup; what was sent since is not known here',
}

const RIGHT: Record<Hold['because'], string> = {
  restored: '--known is right if all workers have reported, and no data folder was put back, too.',
  copied:
    '--uncertain is right for a backup that was put back. --known is right only if nothing was sent since the copy was made: the folder was moved.',
}

/** Merchants of whose stores it is not known who opted out since the data were of; they are compared now. */
async function listUncompared(context: Context, since: Date): Promise<string[]> {
  const { clock } = context
  const at = new Date(since.getTime() + clock.now().getTime() - clock.realNow().getTime())
  const merchants: string[] = []
  await eachMerchantWithDue(context, allMerchants, null, async (scope) => {
    if (!(await knowsStoreConsent(scope, at))) merchants.push(scope.merchantId)
    return true
  })
  return merchants
}

async function nameOf(scope: MerchantScope, programId: string): Promise<string> {
  const campaign = await findCampaign(scope, programId)
  if (campaign) return `campaign "${campaign.name}"`
  const scenario = await findScenarioName(scope, programId)
  return scenario !== null
    ? `scenario "${scenario}"`
    : `a campaign or scenario that these data do not have, ${programId}`
}

/** What an operator has to know before sending may go on. */
export async function reportHold(context: Context): Promise<string> {
  const hold = await describeHold(context)
  if (!hold) return 'Sending is not on hold.'
  const lines = [`Sending is on hold since ${hold.since.toISOString()}: ${WHY[hold.because]}.`, '']
  for (const { scope, programId, people, waiting } of hold.unrecorded) {
    const name = programId === null ? 'test mails' : await nameOf(scope, programId)
    lines.push(
      `  ${people} people were sent ${name} (merchant ${scope.merchantId}); of these messages ${waiting} wait here and become uncertain.`,
    )
  }
  if (hold.unrecorded.length === 0) lines.push('  No one is known to have been sent something that is not recorded.')
  if (hold.silent.length > 0)
    lines.push(
      '',
      'These workers were there before and have not reported what they sent; start one of them first (or any command of the operator there):',
      ...hold.silent.map((worker) => `  ${worker}`),
    )
  const uncompared = await listUncompared(context, hold.since)
  if (uncompared.length > 0)
    lines.push(
      '',
      'Who opted out in the stores of these merchants since then is not known yet. They are being compared if Okaeri runs; look again in some minutes:',
      ...uncompared.map((id) => `  merchant ${id}`),
    )
  return [
    ...lines,
    '',
    'Customers who unsubscribed by a link since the backup are known again only where the store has them.',
    '',
    'Then one of:',
    '  release-sending --known      those named above become uncertain, everybody else is sent what waits',
    '  release-sending --uncertain  besides, all that campaigns and scenarios under way have not sent becomes uncertain, and what is due asks',
    '',
    RIGHT[hold.because],
  ].join('\n')
}

/** A person has looked; returns what that means for whom. */
export async function releaseSending(
  context: Context,
  { uncertain, needsStores = true }: { uncertain: boolean; needsStores?: boolean },
): Promise<string> {
  const hold = await describeHold(context)
  if (!hold) return 'Sending is not on hold.'
  const uncompared = needsStores ? await listUncompared(context, hold.since) : []
  if (uncompared.length > 0)
    throw new StartupError(
      `Sending stays on hold: who opted out since then in the stores of ${uncompared.length} merchant(s) is not known yet. Start Okaeri, look at "npm run operator -- sending" and try again; with --without-stores it is released all the same.`,
    )
  const lines: string[] = []
  if (uncertain)
    await eachMerchantWithDue(context, allMerchants, null, async (scope) => {
      for (const { name, people } of await markUnsentAsUncertain(scope))
        lines.push(`${people} people of campaign "${name}" are uncertain now.`)
      const ofScenarios = await scope.transaction((scope) => markScenariosUncertain(scope))
      if (ofScenarios > 0) lines.push(`${ofScenarios} mails of scenarios are uncertain now.`)
      await askAboutDueWakeUps(scope)
      return true
    })
  let compared = 0
  await eachMerchantWithDue(context, allMerchants, null, async (scope) => {
    if (await checkRestoredMenus(scope)) compared += 1
    return true
  })
  if (compared > 0)
    lines.push(`Rich menus of ${compared} merchants are made again on LINE, and linked to their friends again.`)
  await releaseHold(context)
  return [...lines, 'Sending goes on. The reports of campaigns offer to send again to those who are uncertain.'].join(
    '\n',
  )
}
