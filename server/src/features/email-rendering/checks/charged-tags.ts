import {
  CaseTag,
  type Context,
  type Emitter,
  IfTag,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  Token,
  TokenKind,
  type TopLevelToken,
  toValueSync,
  UnlessTag,
  Value,
} from 'liquidjs'
import { namedId } from '../blocks.ts'
import { liquidSpans } from './liquid-spans.ts'
import type { MailProduct } from '../data/message-data.ts'
import { type ParsedChoice, choiceOf } from '../data/product-choice.ts'
import { workOf } from '../work.ts'

// Imported by what runs in a thread alone (`npm run house`).

/** The engine asks before each node only; which of a thousand branches is taken is found out within one. */
class ChargedIf extends IfTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, string> {
    workOf(context).choose(this.branches.length)
    return yield* super.render(context, emitter)
  }
}
class ChargedUnless extends UnlessTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
    workOf(context).choose(this.branches.length)
    return yield* super.render(context, emitter)
  }
}
/** Each value of each branch is compared with what the case is about: that may be a long list. */
class ChargedCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const work = workOf(context)
    work.choose(this.branches.length)
    const about = toValueSync(this.value.value(context) as never)
    const values = this.branches.reduce((sum, branch) => sum + branch.values.length, 0)
    work.compare(work.measure(about), values)
    return yield* super.render(context, emitter)
  }
}
/** Components are put in before the engine reads a content. What is still there could not be. */
class LeftComponent extends Tag {
  constructor(...given: ConstructorParameters<typeof Tag>) {
    super(...given)
    throw new Error(
      `component ${given[0].args.trim()} cannot stand here: there is none, or the mail would be too large`,
    )
  }
  override render(): void {}
}
interface OfBlock {
  /** The group of values it is filled from: for those who ask which variables a template reads. */
  source: string
  mayHaveElse: boolean
}
/** What stands between a tag of ours and the tag that ends it. */
abstract class FilledBlock extends Tag {
  protected readonly within: Template[] = []
  protected readonly otherwise: Template[] = []
  /** What stands between the tag and its `else`, or its end, as it was written. */
  protected source = ''
  readonly #group: Value
  constructor(
    token: TagToken,
    rest: TopLevelToken[],
    liquid: Liquid,
    parser: Parser,
    { source, mayHaveElse }: OfBlock,
  ) {
    super(token, rest, liquid)
    this.#group = new Value(source, liquid)
    let into = this.within
    const ended = (end: TagToken): void => {
      if (into === this.within) this.source = token.input.slice(token.end, end.begin)
    }
    const stream = parser.parseStream(rest)
    if (mayHaveElse)
      stream.on('tag:else', (end: TagToken) => {
        ended(end)
        // Typed into a block of the visual editor, it would show the block to the others.
        if (into === this.otherwise) throw new Error(`a second else in ${token.getText()}`)
        into = this.otherwise
      })
    stream
      .on(`tag:end${token.name}`, (end: TagToken) => {
        ended(end)
        stream.stop()
      })
      .on('template', (template: Template) => into.push(template))
      .on('end', () => {
        throw new Error(`tag ${token.getText()} not closed`)
      })
    stream.start()
  }
  // The engine takes what this returns, and does not await it.
  // oxlint-disable-next-line require-yield
  *children(): Generator<unknown, Template[]> {
    return [...this.within, ...this.otherwise]
  }
  arguments(): Iterable<Value> {
    return [this.#group]
  }
}

/** One that names one thing by its id. */
abstract class NamingBlock extends FilledBlock {
  readonly id: string
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser, of: OfBlock) {
    const id = namedId(token.args)
    if (id === null) throw new Error(`${token.name} needs the id of one, in quotes: ${token.getText()}`)
    super(token, rest, liquid, parser, of)
    this.id = id
  }
}

/** Shows one product; nothing while the store does not sell it. */
class ProductBlock extends NamingBlock {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser, { source: 'products', mayHaveElse: false })
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const product = entryOf(context, 'products', this.id)
    if (product === undefined) return
    context.push({ product })
    yield this.liquid.renderer.renderTemplates(this.within, context, emitter)
    context.pop()
  }
  blockScope(): Iterable<string> {
    return ['product']
  }
}

/** Shown to the members of a segment; what comes after `else` to the others; to no one where the segment was deleted. */
class OnlyForBlock extends NamingBlock {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser, { source: 'memberships', mayHaveElse: true })
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const isMember = entryOf(context, 'memberships', this.id)
    if (isMember === undefined) return
    yield this.liquid.renderer.renderTemplates(isMember === false ? this.otherwise : this.within, context, emitter)
  }
}

/** Shown to all but the members of a segment; to no one where the segment was deleted. */
class ExceptForBlock extends NamingBlock {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser, { source: 'memberships', mayHaveElse: false })
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const isMember = entryOf(context, 'memberships', this.id)
    if (isMember === undefined || isMember === true) return
    yield this.liquid.renderer.renderTemplates(this.within, context, emitter)
  }
}

/** Products kept as they were made, of one block: a shop's most shown ones. */
const MAX_KEPT = 2000
const OF_PRODUCT =
  /^(?:\{\{-?\s*product\.\w+\s*-?\}\}|\{%-?\s*(?:if|unless|elsif)\s+product\.\w+(?:\s*[!=]=\s*(?:"[^"]*"|'[^']*'|true|false))?\s*-?%\}|\{%-?\s*(?:else|endif|endunless)\s*-?%\})$/
/** Nothing of a recipient stands in it, and nothing that is another thing each time. */
const saysProductsOnly = (source: string): boolean =>
  liquidSpans(source).every(({ start, end }) => OF_PRODUCT.test(source.slice(start, end)))

/** Shows each of the products that a rule chose; what comes after `else` where it chose none. */
export class ProductsByBlock extends FilledBlock {
  readonly #chosen: ParsedChoice
  readonly #isOfProducts: boolean
  readonly #kept = new Map<string, { text: string; steps: number }>()
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    const chosen = choiceOf(token.args)
    if (chosen === null) throw new Error(`products_by needs a rule it knows, and a count up to 6: ${token.getText()}`)
    super(token, rest, liquid, parser, { source: groupOf(chosen), mayHaveElse: true })
    this.#chosen = chosen
    this.#isOfProducts = saysProductsOnly(this.source)
  }
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const products = entryOf(context, groupOf(this.#chosen), this.#chosen.key)
    if (!Array.isArray(products) || products.length === 0) {
      yield this.liquid.renderer.renderTemplates(this.otherwise, context, emitter)
      return
    }
    for (const product of products as readonly MailProduct[]) {
      if (this.#isOfProducts) {
        yield* this.#renderKept(product, context, emitter)
        continue
      }
      context.push({ product })
      yield this.liquid.renderer.renderTemplates(this.within, context, emitter)
      context.pop()
      const isOver = context.breakCalled
      context.breakCalled = false
      context.continueCalled = false
      if (isOver) return
    }
  }
  /** What is said of a product is the same to each who is shown it: made once, and counted as if it were made each time. */
  *#renderKept(product: MailProduct, context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const work = workOf(context)
    const key = Object.values(product).join('\0')
    let made = this.#kept.get(key)
    if (made) work.step(made.steps)
    else {
      const before = work.steps
      const own = { buffer: '', write: (text: unknown) => void (own.buffer += String(text)) }
      context.push({ product })
      yield this.liquid.renderer.renderTemplates(this.within, context, own as unknown as Emitter)
      context.pop()
      made = { text: own.buffer, steps: work.steps - before }
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear()
      this.#kept.set(key, made)
    }
    emitter.write(made.text)
  }
  /** Where each recipient's is joined of what was made of each product once. Null: it is another thing each time. */
  cardOfEach(): { choice: string; card: readonly Template[]; otherwise: readonly Template[] } | null {
    const isFixed = this.otherwise.every(({ token }) => token.kind === TokenKind.HTML)
    if (!this.#chosen.isPersonal || !this.#isOfProducts || !isFixed) return null
    return { choice: this.#chosen.key, card: this.within, otherwise: this.otherwise }
  }
  blockScope(): Iterable<string> {
    return ['product']
  }
}
const groupOf = ({ isPersonal }: ParsedChoice): 'own_products' | 'product_lists' =>
  isPersonal ? 'own_products' : 'product_lists'

/** Data the mail was given; no variable of the template can replace it. */
type Group = 'products' | 'memberships' | 'product_lists' | 'own_products'
function entryOf(context: Context, group: Group, id: string): unknown {
  const given = (context.environments as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>)[group]
  return given && Object.hasOwn(given, id) ? given[id] : undefined
}

export const chargedTags = {
  product: ProductBlock,
  products_by: ProductsByBlock,
  only_for: OnlyForBlock,
  except_for: ExceptForBlock,
  if: ChargedIf,
  unless: ChargedUnless,
  case: ChargedCase,
  component: LeftComponent,
}

/** Where the lines of the current text begin. */
let counted = { text: '', begins: [0] }

function lineBegins(text: string): number[] {
  if (counted.text === text) return counted.begins
  const begins = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) begins.push(at + 1)
  counted = { text, begins }
  return begins
}

/**
 * For each variable it lists the engine counts lines and columns from the beginning of the template, sign by sign: quadratic time in what
 * people write. This answers the same.
 */
Token.prototype.getPosition = function (this: Token): [number, number] {
  const begins = lineBegins(this.input)
  let low = 0
  let high = begins.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((begins[middle] as number) <= this.begin) low = middle + 1
    else high = middle
  }
  return [low, this.begin - (begins[low - 1] as number) + 1]
}
