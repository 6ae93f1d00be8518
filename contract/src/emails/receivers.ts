/**
 * Who takes the mail of a domain. One operator takes the mail of several domains with the same servers and the same rules, so what it says of one
 * says it of all. Only domains with addresses for the public are named here; mail of a company at one of these operators (Google
 * Workspace, Microsoft 365) is not known by its domain and stays under it.
 *
 * From the operators' own pages: support.google.com/mail/answer/10313 (googlemail.com), support.apple.com/102540 (icloud.com, me.com, mac.com),
 * support.microsoft.com (outlook, hotmail, live, msn), docomo.ne.jp/service/docomo_mail, au.com/mobile/service/email (au.com, ezweb.ne.jp),
 * softbank.jp/mobile/service/mail (softbank.ne.jp, i.softbank.jp, and what was Vodafone, J-PHONE and Disney Mobile), ymobile.jp/service/ymobile_mail,
 * network.mobile.rakuten.co.jp/service/rakuten-mail (rakumail.jp), senders.yahooinc.com (Yahoo and AOL, without Japan), whose mail of Japan is
 * of another company. A domain with a dot in front means all below it too.
 */
const DOMAINS = {
  google: 'gmail.com googlemail.com',
  docomo: 'docomo.ne.jp docomo-camera.ne.jp dwmail.jp mopera.net',
  au: 'au.com biz.au.com uqmobile.jp .ezweb.ne.jp .ido.ne.jp sky.tkk.ne.jp sky.tkc.ne.jp sky.tu-ka.ne.jp',
  softbank: `softbank.ne.jp i.softbank.jp softbank.jp .vodafone.ne.jp jp-d.ne.jp jp-h.ne.jp jp-t.ne.jp jp-c.ne.jp jp-k.ne.jp jp-r.ne.jp
    jp-n.ne.jp jp-s.ne.jp jp-q.ne.jp disney.ne.jp ymobile.ne.jp ymobile1.ne.jp y-mobile.ne.jp emobile.ne.jp emobile-s.ne.jp emnet.ne.jp
    willcom.com .pdx.ne.jp wcm.ne.jp`,
  yahoo_jp: 'yahoo.co.jp yahoo.ne.jp ybb.ne.jp ymail.ne.jp',
  rakuten: 'rakumail.jp',
  apple: 'icloud.com me.com mac.com',
  microsoft: `outlook.com outlook.jp outlook.fr outlook.de outlook.es outlook.it outlook.kr outlook.com.br outlook.co.th outlook.co.id
    hotmail.com hotmail.co.jp hotmail.co.uk hotmail.fr hotmail.de hotmail.es hotmail.it hotmail.ca hotmail.co.kr hotmail.co.th hotmail.com.tw
    hotmail.com.hk hotmail.com.br hotmail.com.au live.com live.jp live.cn live.hk live.fr live.de live.it live.nl live.ca live.co.uk live.com.au
    msn.com windowslive.com passport.com`,
  yahoo: `yahoo.com ymail.com rocketmail.com myyahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.in yahoo.co.in
    yahoo.com.tw yahoo.com.hk yahoo.com.sg yahoo.com.au yahoo.com.br yahoo.com.mx yahoo.com.ph yahoo.com.vn yahoo.co.id yahoo.co.th
    yahoo.co.kr aol.com aol.jp aim.com verizon.net`,
  nifty: 'nifty.com .nifty.ne.jp',
  ocn: 'ocn.jp .ocn.ne.jp',
  biglobe: 'biglobe.jp .biglobe.ne.jp',
  so_net: '.so-net.ne.jp so-net.jp',
  plala: '.plala.or.jp',
  jcom: 'jcom.home.ne.jp .zaq.ne.jp zaq.jp .jcom.ne.jp',
  au_one_net: '.dion.ne.jp .auone-net.jp',
  eonet: '.eonet.ne.jp',
} as const

/** An operator that takes mail for several domains. It has no dot, so it is never taken for a domain. */
export type ReceiverKey = keyof typeof DOMAINS

/** The same list as rows, for those who look domains up many at a time. `below`: whether all below the domain is meant too. */
export const receiverDomains: readonly { domain: string; receiver: ReceiverKey; below: boolean }[] = (
  Object.keys(DOMAINS) as ReceiverKey[]
).flatMap((receiver) =>
  DOMAINS[receiver]
    .split(/\s+/)
    .map((entry) => ({ domain: entry.replace(/^\./, ''), receiver, below: entry.startsWith('.') })),
)

export const receiverKeys = Object.keys(DOMAINS) as readonly ReceiverKey[]

const exact = new Map(receiverDomains.map(({ domain, receiver }) => [domain, receiver]))
const withBelow = new Map(
  receiverDomains.filter(({ below }) => below).map(({ domain, receiver }) => [domain, receiver]),
)

/** The operator that takes the mail of a domain; the domain itself, in small letters, where it is not one we know. */
export function receiverOf(domain: string): string {
  const name = domain.trim().toLowerCase().replace(/\.$/, '')
  const key = exact.get(name)
  if (key) return key
  const labels = name.split('.')
  // All that stand here for what is below them have two or three labels.
  return withBelow.get(labels.slice(-3).join('.')) ?? withBelow.get(labels.slice(-2).join('.')) ?? name
}

export const isReceiverKey = (receiver: string): receiver is ReceiverKey => Object.hasOwn(DOMAINS, receiver)
