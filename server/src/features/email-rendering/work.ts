import type { Context } from 'liquidjs'
import { TemplateError } from './checks/template-error.ts'

/**
 * What filling in one mail may cost, in steps of about ten nanoseconds: counted, not timed, so that a mail is too costly on every machine or
 * on none. A mail of a shop costs some ten thousand. In a review a tenth of what is allowed when it is sent: no customer's data make it ten times as dear.
 */
export const REVIEW_STEPS = 10_000_000
export const SENDING_STEPS = 100_000_000

/** Per value: no mail holds more. One allocation beyond all limits would end the process, not the thread. */
const MAX_CHARACTERS = 500_000
const MAX_ITEMS = 10_000
/** Characters and list items made for one mail. */
const MAX_MEMORY = 10_000_000
/** Per mail, all parts together: twice the largest content. No mailbox shows more, and the sender has to encode it. */
const MAX_OUTPUT = 2_500_000
export const MAX_RANGE = 1_000

const STEPS_PER_NODE = 200
const STEPS_PER_ITEM = 20

const tooCostly = (message: string): TemplateError => new TemplateError(message, 1, 'too_costly')
const tooLarge = (): TemplateError => tooCostly('it grows too large')

/** Counts what filling in one mail costs. The engine takes it for its limiters of time (`check`) and memory (`use`). */
export class Work {
  /** Filters under way. */
  filtering = 0
  #stepsPerNode = STEPS_PER_NODE
  #steps = 0
  #memory = 0
  #output = 0
  readonly #limit: number
  constructor(limit: number) {
    this.#limit = limit
  }

  get steps(): number {
    return this.#steps
  }

  /** Enters one of the mail's templates: what a long tag says is evaluated each time it is passed. */
  enter(longestTag: number): void {
    this.#stepsPerNode = STEPS_PER_NODE + longestTag * 5
  }

  step(count: number): void {
    this.#steps += count
    // Not a number, not a bound.
    if (!(this.#steps <= this.#limit)) throw tooCostly('it takes too long to fill in')
  }

  /** Asked by the engine before each node. */
  check(): void {
    this.step(this.#stepsPerNode)
  }

  /** One of so many branches is taken. */
  choose(branches: number): void {
    this.step(this.#stepsPerNode * branches)
  }

  /** One value is compared with so many others. */
  compare({ characters, items }: { characters: number; items: number }, others: number): void {
    this.step((characters / 16 + items * STEPS_PER_ITEM) * others)
  }

  /** Called by the engine with what it is about to make: the result of a filter, or the items of a range. */
  use(count: number): void {
    const size = Number(count)
    if (!(size > 0)) return
    if (this.filtering === 0 && size > MAX_RANGE)
      throw new TemplateError(`a range of more than ${MAX_RANGE} items`, 1, 'not_offered')
    this.#make(size)
  }

  #make(size: number): void {
    if (size > MAX_CHARACTERS) throw tooLarge()
    this.#memory += size
    if (this.#memory > MAX_MEMORY) throw tooLarge()
  }

  /** Looks through a value, lists in lists included, and returns its size; throws when it is larger than anything in a mail. */
  measure(value: unknown): { characters: number; items: number } {
    const size = { characters: 0, items: 0 }
    const look = (one: unknown): void => {
      if (typeof one === 'string') size.characters += one.length
      else if (Array.isArray(one)) {
        size.items += one.length
        if (size.items > MAX_ITEMS) throw tooLarge()
        for (const item of one) look(item)
      } else if (typeof one === 'object' && one !== null && isPlain(one)) {
        const values = Object.values(one)
        size.items += values.length
        if (size.items > MAX_ITEMS) throw tooLarge()
        for (const item of values) look(item)
      }
      if (size.characters > MAX_CHARACTERS) throw tooLarge()
    }
    look(value)
    this.step(size.characters / 4 + size.items * STEPS_PER_ITEM + 1)
    return size
  }

  /** A filter's result. */
  made(value: unknown): void {
    const { characters, items } = this.measure(value)
    this.#make(characters + items)
  }

  /** One string looked for in another: at worst compared at each place. */
  search(text: number, pattern: number): void {
    this.step(text + (text * pattern) / 16)
  }

  /** What is put out. */
  write(length: number): void {
    this.step(length / 16 + 1)
    this.#output += length
    if (this.#output > MAX_OUTPUT) throw tooLarge()
  }
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The engine asks its memory limit before it makes something: there the count of the mail stands. */
export const workOf = (context: Context): Work => context.memoryLimit as unknown as Work
