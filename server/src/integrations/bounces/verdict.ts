import type { BounceVerdict } from './report.ts'

/** What one answer consists of, as far as it is known. */
export interface Answer {
  /** RFC 3463, of the report's field. */
  status: string | null
  /** The server's words, or what the report says in their place. */
  words: string
  /** What the report says around them. */
  around?: string
  recipient: string | null
  server: string | null
  /** Read from sentences, not from fields. */
  isFreeForm?: boolean
}

interface Judged {
  verdict: BounceVerdict
  isDoubted: boolean
}

/** Returns are a line or a few. More is a page; what it is about stands at its beginning. */
const MAX_WORDS = 3_000

/** Carriers in Japan, by address or by the host that takes their mail. They answer "unknown user" for mail that a user filters out, too. */
const CARRIERS =
  /(?:^|[@.])(?:docomo\.ne\.jp|docomo-camera\.ne\.jp|ezweb\.ne\.jp|au\.com|uqmobile\.jp|softbank\.(?:ne\.)?jp|vodafone\.ne\.jp|disney\.ne\.jp|y-mobile\.ne\.jp|ymobile1?\.(?:ne\.)?jp|willcom\.com|pdx\.ne\.jp)$/

type Words = readonly [verdict: BounceVerdict, words: RegExp]

/**
 * The first that fits decides, and words come before codes: the same code is used for much, and one server passes on what the next said under a
 * code of its own. What says nothing of the address stands before what ends it. The patterns hold only bounded repetitions.
 */
const WORDS: readonly Words[] = [
  ['hard', /couldn't find (?:any host|a mail exchanger)/],
  [
    'full',
    /mailbox(?: \S{1,80})? (?:is )?(?:full|over|exceed|has exceeded|quota|size limit exceeded|would exceed)|mail(?:folder|dir)(?: is)? (?:full|over)|full mailbox|over(?: \w{1,12}){0,3} quota|over ?quota|quota (?:exceeded|full|violation|is|would|for|usage)|exceed\w{0,4} (?:\w{1,12} ){0,3}(?:quota|storage|disk ?space)|(?:storage|space|disk|quota)(?: \w{1,12}){0,2} (?:exceeded|is full|has been used up|full)|(?:mail ?box|disk) space (?:is )?not enough|(?:not|in)\S{0,3} ?(?:have )?(?:enough|sufficient) (?:\w{1,12} ){0,2}(?:space|storage)|no space left|insufficient (?:disk|system|storage) (?:space|storage)|local limit|too much mail data|too many messages on the server|mail file size exceeds|boite du destinataire pleine|receiving limits|diskspace quota|disk quota|容量(?:が|を|オーバ)|一杯|いっぱい/,
  ],
  [
    'blocked',
    /\bspam|spam\b|spamhaus|spamcop|dnsbl|\brbl|black ?-?list|block ?-?list|black list|reputation|unsolicited|bulk (?:mail|email|advertising)|mass mailer|(?<!anti[ -]?)virus(?! ?wall)|malware|phish|\bspf\b|\bdkim\b|\bdmarc\b|sender policy|unauthenticated|authentication|not authenticated|\bptr\b|reverse dns|reverse lookup|\brdns|(?<!c)name lookup failed|cannot find your|nameserver query|relay access denied|relay(?:ing)? (?:denied|not|prohibited)|relaying mail|(?:not|unable|no|as)(?: \w{1,14}){0,4} relay|open relay|allowed rcpthost|batv|backscatter|bouncedeny|third-party dsn|valid-address-filter/,
  ],
  [
    'blocked',
    /too (?:big|large)|(?:message|mail|header) (?:header )?(?:size|length) exceeds|size exceed|message size|size limit|maximum (?:inbound )?(?:message|mail) size|line limit|rfc ?5322|header error|header are not|invalid mime|illegal attachment|sender(?: ip)?(?: e?mail)?(?: address)? (?:rejected|verify|denied|blacklisted|was rejected|has been|is |not|domain)|(?:invalid|bogus|unroutable) (?:sender|mail from)|null sender|empty envelope|domain of sender|does not exist e2110|mail from \S{0,100} ?(?:refused|rejected)|in reply to mail from|envelope blocked|(?:client|your) (?:host|ip|server|network|remotehost|email address)|sending (?:ip|mta|address)|\bip address|\bips? (?:\S{1,60} )?(?:is|are) (?:blocked|listed)|invalid ip|invalid domain name|dynamic ip|connections? (?:not accepted|refused by|dropped|was dropped|reset)|not accepting connections|refused to talk|not (?:currently )?accept\w{0,3} mail from|not allowed to (?:connect|send|post|subscribe)|too many (?:connections|recipients|concurrent|errors|smtp)|all available ips|exceeded the max emails|rate ?-?limit|throttling|try again slower|(?:blocked|banned) (?:by|using|for|-)|\d blocked|been blocked|is blocked|helo command|go away|has not passed|not subscribed|not verified|administrative prohibition|prohibited|organi[sz]ation(?:al)? (?:policy|settings)|(?:security|local|by|due to|for) polic|policy (?:reasons|violation)|policies|protocol violation|content (?:rejected|denied|filter|presents)|rejecting (?:mail |banned )?content|message (?:content|filtered|refused|rejected (?:as|due))|members?-only|not have permission|mailing list|access denied|delivery not authori[sz]ed|returned mail not accepted|low priority|administrat\w{1,5} (?:blocked|refused)|server access|certificate|tls required|starttls is required|domain[- ]filter|ses:send/,
  ],
  [
    'soft',
    /disabled|suspend|locked|frozen|deactivated|inactive (?:user|account|mailbox)|extended inactivity|temporarily inactive|terminated|archived recipient|boite du destinataire archivee|no longer accepts mail|not (?:currently )?being accepted|is not accepting|has restricted|user rules|recipient preferences|protected by|refuses to (?:receive|accept) this|user reject|refuse to receive|notauthorized|bounced address|unable to deliver to|only accepting mail from|rule imposed|because the recipient is|ghdha/,
  ],
  ['soft', /procmail|command (?:output|died)|can't create|couldn't create/],
  [
    'hard',
    /delivery userid|リストにありません|見つかりません|見つけることができません|user \S{0,3}unknown|unknown user|no such user|user not found|user does not exist|unknown recipient|no such recipient|unknown mailbox|no such mailbox|unknown virtual user|(?:host|domain) (?:unknown|does not exist)|domain is not reachable|no mx found|no smtp service|inactive email address/,
  ],
  [
    'soft',
    /timed? ?out|expired|retry time|retry timeout|too many hops|hop count|(?:mail|forwarding|routing|message) loop|loops back|loop was found|message looping|name server reply|try again|temporary|temporarily|no route to host|host is unreachable|not responding|did(?: not|n't) respond|connection refused|network error|unable to resolve route|system config|configuration error|misconfigured|local error|internal (?:server )?error|could not (?:load|connect)|exited|deferred|in the queue|been delayed|pipe to|mailer error/,
  ],
  [
    'hard',
    /(?:user|mailbox|recipient|address|account|alias|destination addresses)(?: \S{1,80})?(?: \w{1,10})? (?:unknown|(?:is |was |are |were |could |be )*(?:not|n't)\s?(?:be )?(?:found|exist|known|local|valid|listed|recognized|on server|present|ok)|(?:does|do|did)(?: not|n't) exist|doesn't exist|no longer|not exist|not active|invalid|is invalid|is unavailable|unavailable|(?:is )?not a (?:known|valid|local))|(?:unknown|invalid|bad|no such|nonexist\w{0,3}|non-existent|undefined|illegal) (?:or \w{1,12} )?(?:virtual )?(?:user|mailbox|recipient|address|account|local|person|alias|host|domain|e-?mail|destination|rcptto|to:)|badrcptto|userunknown|user_unknown|invalid-recipient|recipientnotfound|recipient ?notfound|bad destination|no (?:mailbox|account|user) (?:here )?by that name|no (?:\w{1,8} )?mail ?box|no one at this|has been replaced by|no longer (?:on server|valid|available|exists|works?|in use)|has moved|not (?:a )?(?:known|valid|local|listed|registered|found in|active) (?:user|mailbox|recipient|address|account|in)|not a valid|not a known|isn't a (?:known|valid)|wasn't found|(?:no|bad) (?:such |\S{1,60} )?(?:in name directory|recipient)|does not exist|doesn't (?:exist|have)|do not exist|not exist|not found|n't (?:accept user|found)|unrouteable address|unroutable address|(?:host|domain)(?: name)? (?:unknown|not found|must exist)|nxdomain|name or service not known|no mx record|nullmx|null mx|no such (?:domain|host)|(?:host|domain)\S{0,8} does(?: not|n't) accept|does not accept mail|mail receiving disabled|missing home|no valid recipients|not our customer|utilisateur inconnu|destinataire invalide|n'existe pas(?! ou )|no existe|nessun utente|存在しま|存在しない(?!か)|rejected\.? ?\(in reply to rcpt|recipient(?: address)? (?:is not accepted|not accepted)|envelope recipient|5\.1\.0 address rejected/,
  ],
]

/** What a code alone says, where the words say nothing. RFC 3463. */
function byStatus(status: string): BounceVerdict {
  const [kind, subject, detail] = status.split('.')
  const rest = `${subject}.${detail}`
  if (rest === '2.2') return 'full'
  if (kind === '5' && ['1.1', '1.2', '1.3', '1.4', '1.6', '1.9', '1.10', '4.4'].includes(rest)) return 'hard'
  if (subject === '7' || subject === '6' || ['1.7', '1.8', '2.3', '3.4', '4.5'].includes(rest)) return 'blocked'
  return 'soft'
}

/** Words that speak of us. */
const BEFORE_SOFT = 4

export const isCarrier = (addressOrHost: string): boolean => CARRIERS.test(addressOrHost)

/** What an answer that refused a mail means. Pure, so that every case is one line of a test. */
export function judgeAnswer({ status, words, around = '', recipient, server, isFreeForm = false }: Answer): Judged {
  const said = folded(words)
  const all = `${said} ${folded(around)}`
  const code = status ?? statusIn(said) ?? statusIn(all)
  const verdict = verdictOf(said, all, code)
  if (verdict !== 'hard') return { verdict, isDoubted: false }
  if (OF_SENDER.test(all)) return { verdict: 'blocked', isDoubted: false }
  const isDoubted =
    [recipient, server].some((one) => one !== null && isCarrier(one.toLowerCase())) ||
    (!NAMES_ACCOUNT.test(all) && mayBeAboutMail(all, code, isFreeForm))
  return isDoubted ? { verdict: 'soft', isDoubted } : { verdict, isDoubted }
}

/** After the whole mail; or nothing says at which moment, and the code says nothing, or that there is such a mailbox. */
const mayBeAboutMail = (all: string, code: string | null, isFreeForm: boolean): boolean =>
  AFTER_MAIL.test(all) ||
  (!OF_RECIPIENT.test(all) && /\b55\d\b/.test(all) && (code === null ? isFreeForm : /^5\.[02]\./.test(code))) ||
  (all.includes('>>> data') && !code?.startsWith('5.1.'))

/** What an address is called means nothing. */
const folded = (text: string): string =>
  text
    .slice(0, MAX_WORDS)
    .toLowerCase()
    .replaceAll(/[^\s<>()[\]:;,"@]{1,64}@[a-z0-9.-]{1,255}/g, '@')
    .replaceAll(/[\s"“”]+/g, ' ')
    .replaceAll('’', "'")

function verdictOf(said: string, all: string, code: string | null): BounceVerdict {
  // Microsoft says so of recipients its customer's directory does not know.
  if (code === '5.4.1' && said.includes('recipient address rejected: access denied')) return 'hard'
  // RFC 7504: this host, or this domain, takes no mail at all.
  if (/^(?:<@>:? )?(?:521|556)\b/.test(said) && !WORDS.slice(0, BEFORE_SOFT).some(([, pattern]) => pattern.test(said)))
    return 'hard'
  // The disk of the server, not of the mailbox.
  if (
    /insufficient (?:system|disk)/.test(said) &&
    code !== null &&
    !code.endsWith('2.2') &&
    !/quota|mailbox/.test(said)
  )
    return 'soft'
  const meant = (text: string): BounceVerdict | undefined => WORDS.find(([, pattern]) => pattern.test(text))?.[0]
  // Without words of the server a code about the address counts more than what a company writes below all its mails.
  const isOfAddress = said.trim() === '' && /^5\.1\.[1236]$/.test(code ?? '')
  return meant(said) ?? (isOfAddress ? 'hard' : meant(all)) ?? byStatus(code ?? '')
}

/** The moment of the answer: before anything of the recipient was said, when the recipient was, or after the whole mail. */
const OF_SENDER = /in reply to mail|after mail from|>>> mail|\[mail_from\]|following mail command/
const OF_RECIPIENT =
  /rcpt|does not like recipient|rejected recipient|recipient (?:address )?rejected|invalid recipient|doesn't have an? \S{1,60} account|host|domain|unrouteable|unroutable/
/** Said after the whole mail too, and of no mail that a filter keeps back. */
const NAMES_ACCOUNT = /this user doesn't have an? \S{1,60} account/
const AFTER_MAIL = /in reply to end of data|after end of data|\[eod\]/

/** The first enhanced status code in a text. */
export const statusIn = (text: string): string | null =>
  /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1] ?? null
