import type { Localized } from '../page.ts'

/** Ways in which a call fails: asked for by naming a sentinel among its people, or for the next calls by a switch. */
export const faults = [
  'rate',
  'quota',
  'error',
  'error_after',
  'silence',
  'silence_after',
  'slow',
  'bad_id',
  'revoked',
] as const
export type Fault = (typeof faults)[number]

export const faultTexts: Record<Fault, Localized> = {
  rate: { ja: '429（速度の上限）。受け付けない', en: '429, rate limit; not accepted' },
  quota: { ja: '429（月の上限）。受け付けない', en: '429, monthly limit; not accepted' },
  error: { ja: '500。受け付けない', en: '500, not accepted' },
  error_after: { ja: '受け付けてから 500', en: 'Accepted, then answered 500' },
  silence: { ja: '受け付けず、応答せずに切断', en: 'Not accepted; the connection is cut without an answer' },
  silence_after: { ja: '受け付けてから、応答せずに切断', en: 'Accepted; the connection is cut without an answer' },
  slow: { ja: '受け付けて、5 秒遅れて応答', en: 'Accepted, answered 5 seconds late' },
  bad_id: {
    ja: '400（宛先が正しくない）。誰にも届かない',
    en: '400, a bad id among the recipients; nobody receives it',
  },
  revoked: { ja: '使ったトークンが取り消され、401', en: 'The token that was used is revoked: 401' },
}

export interface Sentinel {
  id: string
  fault: Fault
  /** The first tries fail, the next is taken; null: every one fails. */
  times: number | null
  name: Localized
}

/** `U` + `5e171e1` + zeros + the word in hexadecimal spelling: easy to distinguish from a person's id. */
const idOf = (ending: string): string => `U5e171e1${ending.padStart(25, '0')}`

function make(fault: Fault, ending: string, times: number | null): Sentinel {
  const often: Localized = times === null ? { ja: '毎回', en: 'always' } : { ja: '最初だけ', en: 'first try' }
  return {
    id: idOf(ending),
    fault,
    times,
    name: { ja: `${fault}（${often.ja}）`, en: `${fault} (${often.en})` },
  }
}

export const sentinels: readonly Sentinel[] = [
  make('rate', '4290', null),
  make('rate', '4291', 1),
  make('quota', '42a0', null),
  make('error', '5000', null),
  make('error', '5001', 1),
  make('error_after', '50a1', 1),
  make('silence', 'c0', null),
  make('silence', 'c1', 1),
  make('silence_after', 'ca1', 1),
  make('slow', '510', null),
  make('bad_id', 'bad', null),
  make('revoked', '401', null),
]

const byId = new Map(sentinels.map((sentinel) => [sentinel.id, sentinel]))
export const sentinelOf = (userId: string): Sentinel | undefined => byId.get(userId)
