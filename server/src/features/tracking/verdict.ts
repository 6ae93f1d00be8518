import { isbot } from 'isbot'

/** Why a hit got its verdict; stored with the hit, shown in the download of clicks. */
export type Evidence =
  | 'person'
  | 'no_agent'
  | 'privacy_prefetch'
  | 'link_preview'
  | 'mail_scanner'
  | 'script'
  | 'robot'
  | 'opened_too_fast'
  | 'several_links_at_once'
  | 'clicked_too_fast'
export interface Verdict {
  verdict: 'human' | 'machine'
  evidence: Evidence
}

export interface Hit {
  id: string
  kind: 'open' | 'click'
  /** Which link of the mail; null for an open. */
  linkPosition: number | null
  at: Date
  userAgent: string
}

/** A prefetch fetches the pictures while the mail is still being delivered. */
const TOO_FAST_OPEN_MS = 2000
/** No person finds, opens and follows a link in a mail this soon. */
const TOO_FAST_CLICK_MS = 5000
/** No person follows two links of one mail within this time. */
const AT_ONCE_MS = 2000

// Programs that show the mail to a person and fetch its pictures for them; the general list of robots contains some of them.
const DISPLAY_PROXY = /GoogleImageProxy|YahooMailProxy|\bms-office\b|^Thunderbird\/|^Outlook-|^Microsoft Outlook/i
const LINK_PREVIEW =
  /facebookexternalhit|line-poker|Slackbot|Slack-ImgProxy|Twitterbot|Discordbot|WhatsApp\/|TelegramBot|SkypeUriPreview|MicrosoftPreview|LinkedInBot|Chatwork/i
const MAIL_SCANNER =
  /SafeLinks|Barracuda|Proofpoint|Mimecast|Symantec|MessageLabs|TrendMicro|FireEye|IronPort|Sophos|ZScaler|Forcepoint/i
const SCRIPT = /^(curl|wget|python|Go-http-client|okhttp|Java|libwww|axios|node|undici|Ruby|PHP|GuzzleHttp)\b/i
/** The complete agent of Apple's Mail Privacy Protection. */
const APPLE_PREFETCH = 'Mozilla/5.0'

/**
 * Judges all known hits of one delivery: first by the agent, then by the time since the receiving server accepted the mail (`sentAt`, null if
 * unknown), then by the other clicks.
 */
export function judge(hits: readonly Hit[], sentAt: Date | null): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  const machine = (hit: Hit, evidence: Evidence): void => void verdicts.set(hit.id, { verdict: 'machine', evidence })
  const sinceSent = (hit: Hit): number => (sentAt ? hit.at.getTime() - sentAt.getTime() : Number.POSITIVE_INFINITY)

  for (const hit of hits) {
    const evidence = evidenceOfAgent(hit)
    if (evidence) machine(hit, evidence)
    else if (hit.kind === 'open' && sinceSent(hit) < TOO_FAST_OPEN_MS) machine(hit, 'opened_too_fast')
    else verdicts.set(hit.id, { verdict: 'human', evidence: 'person' })
  }
  const clicks = hits.filter((hit) => hit.kind === 'click').sort((a, b) => a.at.getTime() - b.at.getTime())
  clicks.forEach((click, i) => {
    for (const later of clicks.slice(i + 1)) {
      if (later.at.getTime() - click.at.getTime() > AT_ONCE_MS) break
      if (later.linkPosition === click.linkPosition) continue
      for (const hit of [click, later])
        if (verdicts.get(hit.id)?.verdict === 'human') machine(hit, 'several_links_at_once')
    }
  })
  const opens = hits.filter((hit) => hit.kind === 'open' && verdicts.get(hit.id)?.verdict === 'human')
  for (const click of clicks) {
    if (verdicts.get(click.id)?.verdict !== 'human' || sinceSent(click) >= TOO_FAST_CLICK_MS) continue
    if (!opens.some((open) => open.at <= click.at)) machine(click, 'clicked_too_fast')
  }
  return verdicts
}

/** A verdict only from the agent, for clicks without a delivery (rich menus). */
export const isAgentOfMachine = (userAgent: string): boolean => evidenceOfAgent({ userAgent }) !== null

function evidenceOfAgent({ userAgent }: Pick<Hit, 'userAgent'>): Evidence | null {
  const agent = userAgent.trim()
  if (agent === '') return 'no_agent'
  if (agent === APPLE_PREFETCH) return 'privacy_prefetch'
  if (LINK_PREVIEW.test(agent)) return 'link_preview'
  if (MAIL_SCANNER.test(agent)) return 'mail_scanner'
  if (SCRIPT.test(agent)) return 'script'
  if (DISPLAY_PROXY.test(agent)) return null
  return isbot(agent) ? 'robot' : null
}
