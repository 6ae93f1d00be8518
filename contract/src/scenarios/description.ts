import type { Locale } from '../locale.ts'
import { describeRule } from '../segments/condition-words.ts'
import { type Flow, type FlowNode, nextOf, portsOf } from './flow.ts'
import { reachable } from './flow-check.ts'
import { endsOnWords, eventKindWords } from './kind-words.ts'
import { meetingPoints } from './meeting-points.ts'
import { amountOf, couponText, type FlowSaying, orInEnglish, quoted, untilText, waitText } from './phrases.ts'
import { describeReentry, describeTrigger } from './words.ts'

/** One thing a flow says. */
export interface FlowSentence {
  /**
   * `step`: its nodes, each of which is in one step alone. `goto`: it goes on at a step told elsewhere, or with what follows the
   * branches. `end`: nothing more comes. `unconnected`: nodes nobody comes to.
   */
  about: 'trigger' | 'condition' | 'reentry' | 'step' | 'goto' | 'end' | 'ends_on' | 'unconnected'
  /** Steps are counted through the whole, branches included; null for what is no step. */
  number: number | null
  /** What it tells of, in order; of a `goto` where it leads. */
  node_ids: readonly string[]
  text: string
  branches: readonly FlowBranch[]
}
/** One way out of a step, and what follows on it alone. */
export interface FlowBranch {
  port: string
  label: string
  sentences: readonly FlowSentence[]
}

/**
 * A flow read out: trigger, who enters, how often, the steps, what ends it early. Never throws: what is missing in a draft is said to be.
 * Every node an execution can come to is told once; where branches meet again, what follows is told after them.
 */
export function describeFlow(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const ja = language === 'ja'
  const told = [plain('trigger', describeTrigger(flow.trigger, saying))]
  const everyone = flow.condition === null || (flow.condition.type === 'group' && flow.condition.children.length === 0)
  if (flow.condition && !everyone) {
    const rule = describeRule(flow.condition, language, saying.names)
    told.push(
      plain('condition', ja ? `次に当てはまる顧客だけが入ります：${rule}。` : `Only for customers where ${rule}.`),
    )
  }
  told.push(plain('reentry', describeReentry(flow.reentry, language)))
  told.push(...describeSteps(flow, saying))
  if (flow.ends_on.length > 0) {
    const reasons = flow.ends_on.map((each) => endsOnWords[each][language])
    const text = ja
      ? `途中でも、${reasons.join('、または')}に終わります。`
      : `It ends early when ${orInEnglish(reasons)}.`
    told.push(plain('ends_on', text))
  }
  return told
}

const plain = (about: FlowSentence['about'], text: string, node_ids: readonly string[] = []): FlowSentence => ({
  about,
  number: null,
  node_ids,
  text,
  branches: [],
})

/** One node as a part of a sentence: `mid` where another part follows (送り、 … / sends …, then), `end` where none does. */
interface Clause {
  mid: string
  end: string
}
const NOTE_SHOWN = 40
const short = (text: string): string =>
  [...text].length > NOTE_SHOWN ? `${[...text].slice(0, NOTE_SHOWN).join('')}…` : text

function clauseOf(node: FlowNode, saying: FlowSaying): Clause {
  const { language, names } = saying
  const ja = language === 'ja'
  const same = (text: string): Clause => ({ mid: text, end: text })
  const doing = (what: string, mid: string, end: string): Clause => ({ mid: `${what}${mid}`, end: `${what}${end}` })
  switch (node.kind) {
    case 'send_email': {
      const { email_id } = node.settings
      const name = email_id === null ? null : names?.emailName?.(email_id)
      if (ja) {
        const what = email_id === null ? 'メール（未選択）' : name ? `メール${quoted(name, language)}` : '選んだメール'
        return doing(`${what}を`, '配信し', '配信します')
      }
      if (email_id === null) return same('sends an email (none chosen yet)')
      return same(name ? `sends the email ${quoted(name, language)}` : 'sends the chosen email')
    }
    case 'send_line':
      return ja ? doing('LINEメッセージを', '配信し', '配信します') : same('sends a LINE message')
    case 'wait': {
      const { wait } = node.settings
      if (wait.mode === 'for') {
        const text = amountOf(wait.amount, wait.unit, language)
        return ja ? doing(text, '待ち', '待ちます') : same(`waits ${text}`)
      }
      if (wait.mode === 'usual_interval') {
        const days = amountOf(wait.days, 'days', language)
        return ja
          ? doing(`商品のいつもの購入間隔（分からない商品は${days}）だけ`, '待ち', '待ちます')
          : same(`waits as long as customers usually take to buy the product again (${days} where that is not known)`)
      }
      const until = untilText(wait, language)
      return ja ? doing(until, '待ち', '待ちます') : same(`waits ${until}`)
    }
    case 'wait_for_event': {
      const event = quoted(eventKindWords[node.settings.event][language], language)
      const limit = amountOf(node.settings.amount, node.settings.unit, language)
      return ja ? doing(`${event}を最長${limit}`, '待ち', '待ちます') : same(`waits up to ${limit} for ${event}`)
    }
    case 'branch': {
      const { condition } = node.settings
      if (!condition)
        return ja
          ? doing('条件（未設定）に当てはまるかどうかで', '分かれ', '分かれます')
          : same('splits by a condition (not set yet)')
      const rule = describeRule(condition, language, names)
      return ja ? doing(`${rule}かどうかで`, '分かれ', '分かれます') : same(`splits by whether ${rule}`)
    }
    case 'random_split': {
      const ways = node.settings.shares.length
      return ja
        ? doing(`顧客をランダムに${ways}つに`, '分け', '分けます')
        : same(`divides customers at random into ${ways} groups`)
    }
    case 'issue_coupon': {
      const terms = couponText(node.settings.coupon, saying)
      return ja ? doing(`クーポン（${terms}）を`, '発行し', '発行します') : same(`issues a coupon (${terms})`)
    }
    case 'tag_customer': {
      const { add, remove } = node.settings
      const list = (tags: readonly string[]) => tags.map((tag) => quoted(tag, language)).join(ja ? '' : ', ')
      if (add.length + remove.length === 0)
        return ja ? doing('タグ（未入力）を', '付け', '付けます') : same('tags the customer (no tags given yet)')
      if (ja) {
        if (remove.length === 0) return doing(`タグ${list(add)}を`, '付け', '付けます')
        const before = add.length > 0 ? `タグ${list(add)}を付け、` : ''
        return doing(`${before}タグ${list(remove)}を`, '外し', '外します')
      }
      const parts = [
        ...(add.length > 0 ? [`adds the tag${add.length > 1 ? 's' : ''} ${list(add)}`] : []),
        ...(remove.length > 0 ? [`removes the tag${remove.length > 1 ? 's' : ''} ${list(remove)}`] : []),
      ]
      return same(parts.join(' and '))
    }
    case 'add_note': {
      const text = node.settings.text.trim()
      if (text === '') return ja ? doing('メモ（未入力）を', '残し', '残します') : same('adds a note (no text yet)')
      const note = quoted(short(text.replace(/\s+/g, ' ')), language)
      return ja ? doing(`メモ${note}を`, '残し', '残します') : same(`adds the note ${note}`)
    }
    case 'call_webhook': {
      const host = URL.parse(node.settings.url.trim())?.host
      if (ja) return doing(host ? `Webhook（${host}）を` : 'Webhook（未設定）を', '呼び出し', '呼び出します')
      return same(host ? `calls the webhook at ${host}` : 'calls a webhook (no URL yet)')
    }
    case 'end':
      return ja ? doing('シナリオを', '終わり', '終わります') : same('ends the scenario')
  }
}

/** Several nodes as one sentence. */
function sentenceOf(nodes: readonly FlowNode[], lead: string, saying: FlowSaying): string {
  const { language } = saying
  const clauses = nodes.map((node) => clauseOf(node, saying))
  if (language === 'ja') {
    const said = clauses.map(({ mid, end }, at) => {
      if (at === clauses.length - 1) return `${end}。`
      const [node, next] = [nodes[at], nodes[at + 1]]
      // 「3日待ち、次の10:00まで待ち」 reads as one wait; it is two, one after the other.
      if (node?.kind === 'wait' && !('time' in node.settings.wait) && next?.kind === 'wait')
        return `${waitText(node.settings.wait, language)}たってから、`
      return `${mid}、`
    })
    return `${lead}${said.join('')}`
  }
  const said = clauses.map(({ end }, at) => (at > 0 && nodes[at]?.kind === 'wait' ? end.replace(/^waits /, '') : end))
  const text = said.join(', then ')
  return `${lead}${lead ? text : text.charAt(0).toUpperCase() + text.slice(1)}.`
}

function labelOf(node: FlowNode, port: string, language: Locale): string {
  const ja = language === 'ja'
  if (port === 'yes') return ja ? '当てはまる場合' : 'If so'
  if (port === 'no') return ja ? '当てはまらない場合' : 'If not'
  if (port === 'happened') return ja ? '起きた場合' : 'If it happens'
  if (node.kind === 'wait_for_event') {
    const limit = amountOf(node.settings.amount, node.settings.unit, language)
    return ja ? `${limit}たっても起きない場合` : `If it does not happen within ${limit}`
  }
  const letter = port.toUpperCase()
  const share = node.kind === 'random_split' ? node.settings.shares['ABCDE'.indexOf(letter)] : undefined
  if (share === undefined) return letter
  return ja ? `${letter}（${share}%）` : `${letter} (${share}%)`
}

function describeSteps(flow: Flow, saying: FlowSaying): FlowSentence[] {
  const { language } = saying
  const ja = language === 'ja'
  const byId = new Map<string, FlowNode>()
  for (const node of flow.nodes) if (!byId.has(node.id)) byId.set(node.id, node)
  const known = (id: string | null): string | null => (id !== null && byId.has(id) ? id : null)
  const reached = reachable(flow, byId)
  const waysIn = new Map<string, number>()
  const countWay = (id: string | null): void => {
    if (id !== null) waysIn.set(id, (waysIn.get(id) ?? 0) + 1)
  }
  countWay(known(flow.start))
  for (const id of reached) {
    const node = byId.get(id)
    if (node) for (const port of portsOf(node)) countWay(known(nextOf(node, port)))
  }
  const meeting = meetingPoints(reached, byId)
  const numbers = new Map<string, number>()
  let count = 0

  /** From a node on, up to where the branches around it meet. */
  const write = (from: string | null, until: string | null, lead: string): FlowSentence[] => {
    const told: FlowSentence[] = []
    let at = from
    let said = lead
    while (at !== null && at !== until) {
      const number = numbers.get(at)
      if (number !== undefined) {
        told.push(plain('goto', ja ? `${number}に進みます。` : `Continues at ${number}.`, [at]))
        return told
      }
      const chain: FlowNode[] = []
      let last: FlowNode | undefined
      for (let next: string | null = at; next !== null; ) {
        const node = byId.get(next)
        const joins = chain.length === 0 || (waysIn.get(next) === 1 && next !== until && node?.kind !== 'end')
        if (!node || !joins || numbers.has(next)) break
        chain.push(node)
        numbers.set(node.id, count + 1)
        last = node
        if (node.kind !== 'wait') break
        next = known(node.next.next)
      }
      if (!last) break
      count += 1
      const sentence = {
        about: 'step' as const,
        number: count,
        node_ids: chain.map(({ id }) => id),
        text: sentenceOf(chain, said, saying),
      }
      const ports = portsOf(last)
      if (ports.length < 2) {
        told.push({ ...sentence, branches: [] })
        const [port] = ports
        at = port === undefined ? null : known(nextOf(last, port))
        said = ''
        continue
      }
      const meet = meeting.get(last.id) ?? null
      // Where the branches around this one meet as well, they all go on there.
      const inner = meet !== null && !numbers.has(meet) ? meet : until
      const fork = last
      const branches = ports.map((port): FlowBranch => {
        const target = known(nextOf(fork, port))
        const sentences = write(target, inner, '')
        if (sentences.length === 0) {
          if (target === null) sentences.push(plain('end', ja ? 'ここで終わります。' : 'Ends here.'))
          else sentences.push(plain('goto', ja ? 'そのまま次へ進みます。' : 'Goes straight on.', [target]))
        }
        return { port, label: labelOf(fork, port, language), sentences }
      })
      told.push({ ...sentence, branches })
      at = inner === until ? null : inner
      said = ja ? 'いずれの場合も、その後、' : 'In every case, it then '
    }
    return told
  }

  const told = write(known(flow.start), null, '')
  if (told.length === 0) told.push(plain('end', ja ? 'まだ何もしません。' : 'It does nothing yet.'))
  const lost = flow.nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => id)
  if (lost.length > 0) {
    const text = ja
      ? `つながっていないステップが${lost.length}個あります。実行されません。`
      : lost.length === 1
        ? '1 step is not connected and never runs.'
        : `${lost.length} steps are not connected and never run.`
    told.push(plain('unconnected', text, lost))
  }
  return told
}
