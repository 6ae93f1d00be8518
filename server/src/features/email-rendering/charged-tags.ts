import { CaseTag, type Context, type Emitter, IfTag, Tag, Token, toValueSync, UnlessTag } from 'liquidjs'
import { workOf } from './work.ts'

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
export const chargedTags = { if: ChargedIf, unless: ChargedUnless, case: ChargedCase, component: LeftComponent }

/** Of one text at a time: where its lines begin. */
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
