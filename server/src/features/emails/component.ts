import {
  type EmailComponent,
  type EmailComponentSummary,
  type EmailComponentUses,
  MAX_COMPONENT_DEPTH,
  MAX_COMPONENTS,
} from '@okaeri/contract/emails/component'
import { componentTag } from '@okaeri/contract/emails/component-key'
import type { FindingCode, RenderedEmail } from '@okaeri/contract/emails/email'
import type { Locale } from '@okaeri/contract/locale'
import type { Page } from '@okaeri/contract/paging'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { nameOfCopy } from '../merchants/index.ts'
import {
  type ComponentLinks,
  type ComponentRow,
  type ComponentSort,
  type ComponentSummaryRow,
  deleteComponentRow,
  findComponentRow,
  insertComponent,
  listComponentLinks,
  listEmailLinks,
  type NewComponent,
  selectComponents,
  updateComponent,
} from './component-queries.ts'
import { componentKeysIn } from './component-tags.ts'
import { measureEmails } from './jobs.ts'
import { NO_TEXTS, previewEmail, sizeOfSendable } from './preview.ts'

/** So many emails are named; the rest is counted. */
const EMAILS_NAMED = 100

export async function listComponents(
  scope: MerchantScope,
  query: { q?: string | undefined; sort: ComponentSort; direction: 'asc' | 'desc'; limit: number; offset: number },
): Promise<Page<EmailComponentSummary>> {
  const { rows, total } = await selectComponents(scope, query)
  const emails = await listEmailLinks(scope)
  const holders = holdersOf(await listComponentLinks(scope))
  return {
    data: rows.map((row) => {
      const within = keysContaining(row.key, holders)
      return {
        ...presentSummary(row),
        email_count: emails.filter(({ components }) => components.some((key) => within.has(key))).length,
      }
    }),
    limit: query.limit,
    offset: query.offset,
    total,
  }
}

const presentSummary = (row: ComponentSummaryRow): Omit<EmailComponent, 'content'> => ({
  id: row.id,
  name: row.name,
  key: row.key,
  tag: componentTag(row.key),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export async function getComponent(scope: MerchantScope, id: string): Promise<EmailComponent> {
  const row = await getComponentRow(scope, id)
  return { ...presentSummary(row), content: row.content }
}

async function getComponentRow(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<ComponentRow> {
  const row = await findComponentRow(scope, id, options)
  if (!row) throw notFound('there is no such component')
  return row
}

/** What changes with it. */
export async function getComponentUses(scope: MerchantScope, id: string): Promise<EmailComponentUses> {
  const { key } = await getComponentRow(scope, id)
  const links = await listComponentLinks(scope)
  const emails = await listEmailsWithin(scope, key, links)
  const named = []
  for (const email of emails.slice(0, EMAILS_NAMED))
    named.push({
      id: email.id,
      name: email.name,
      direct: email.components.includes(key),
      used_by: await scope.context.ports.programsUsingEmail(scope, email.id),
    })
  return {
    emails: named,
    email_count: emails.length,
    components: links.filter((one) => one.components.includes(key)).map(({ id, name }) => ({ id, name })),
  }
}

async function listEmailsWithin(scope: MerchantScope, key: string, links: readonly ComponentLinks[]) {
  const within = keysContaining(key, holdersOf(links))
  return (await listEmailLinks(scope)).filter(({ components }) => components.some((one) => within.has(one)))
}

/** For each component the keys of those in which its tag is written. */
function holdersOf(links: readonly ComponentLinks[]): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>()
  for (const { key, components } of links)
    for (const inner of components) {
      const known = holders.get(inner)
      if (known) known.push(key)
      else holders.set(inner, [key])
    }
  return holders
}

/** The component itself and those that hold it, at any depth. */
function keysContaining(key: string, holders: ReturnType<typeof holdersOf>): ReadonlySet<string> {
  const found = new Set([key])
  // A set is walked in the order of adding, also by what was added meanwhile.
  for (const inner of found) for (const outer of holders.get(inner) ?? []) found.add(outer)
  return found
}

export async function createComponent(
  scope: MerchantScope,
  { name, content, key }: { name: string; content: string; key?: string | undefined },
): Promise<EmailComponent> {
  await sizeOfSendable(scope, { ...NO_TEXTS, content })
  const id = newId()
  const components = componentKeysIn(content)
  await scope.transaction(async (scope) => {
    const links = await listComponentLinks(scope, { lock: true })
    if (links.length >= MAX_COMPONENTS) throw conflict('too_many_components')
    refuseUnknown(components, links)
    // Nothing holds it yet, whatever its key will be.
    refuseCircles({ key: '', components }, links)
    const row = { id, name, content, components }
    if (key === undefined) return insertWithFreeKey(scope, row, links)
    if (!(await insertComponent(scope, { ...row, key }))) throw invalid({ key: 'taken' })
  })
  return getComponent(scope, id)
}

async function insertWithFreeKey(
  scope: TransactionScope,
  component: Omit<NewComponent, 'key'>,
  links: readonly ComponentLinks[],
): Promise<void> {
  const base = keyFrom(component.name)
  const taken = new Set(links.map(({ key }) => key))
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? base : `${base}-${number}`
    // One added just now by another member is not among those read.
    if (!taken.has(key) && (await insertComponent(scope, { ...component, key }))) return
  }
}

/** Readable in a tag: what of the name is Latin. */
function keyFrom(name: string): string {
  const latin = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-+|-+$/g, '')
  return latin || 'component'
}

type Parts = { name?: string | undefined; content?: string | undefined }

/** Throws `component_changed_meanwhile` for a field that is neither what the person began from nor what they want. */
export async function changeComponent(
  scope: MerchantScope,
  id: string,
  change: Parts & { began?: Parts | undefined },
): Promise<EmailComponent> {
  const { began = {}, ...wanted } = change
  const changed = (before: ComponentRow): ComponentRow => {
    const fields = (['name', 'content'] as const).filter((field) => wanted[field] !== undefined)
    const lost = fields.filter(
      (field) => began[field] !== undefined && before[field] !== began[field] && before[field] !== wanted[field],
    )
    if (lost.length > 0) throw conflict('component_changed_meanwhile', `saved by someone else: ${lost.join(', ')}`)
    const { name = before.name, content = before.content } = wanted
    return { ...before, name, content, components: componentKeysIn(content) }
  }
  // Looked at without holding anything: it may take as long as a template may.
  const seen = changed(await getComponentRow(scope, id))
  refuseCircles(seen, await listComponentLinks(scope))
  await sizeOfSendable(scope, { ...NO_TEXTS, content: seen.content })
  const done = await scope.transaction(async (scope) => {
    const links = await listComponentLinks(scope, { lock: true })
    const after = changed(await getComponentRow(scope, id, { lock: true }))
    if (after.content !== seen.content) return false
    refuseUnknown(after.components, links)
    refuseCircles(after, links)
    await updateComponent(scope, after)
    const emails = await listEmailsWithin(scope, after.key, links)
    if (emails.length > 0) await scope.context.jobs.later(scope, measureEmails, { component: id })
    return true
  })
  // Another member saved it in between.
  return done ? getComponent(scope, id) : changeComponent(scope, id, change)
}

/** One that was deleted since the content was looked at. */
function refuseUnknown(keys: readonly string[], links: readonly ComponentLinks[]): void {
  const known = new Set(links.map(({ key }) => key))
  if (!keys.every((key) => known.has(key))) throw invalid({ content: 'not_found' })
}

function refuseCircles(
  { key, components }: Pick<ComponentRow, 'key' | 'components'>,
  links: readonly ComponentLinks[],
): void {
  const held = new Map(links.map((one) => [one.key, one.components]))
  held.set(key, components)
  const depths = new Map<string, number | 'being counted'>()
  const depthOf = (one: string): number => {
    const before = depths.get(one)
    if (before === 'being counted') throw invalid({ content: 'circular' })
    if (before !== undefined) return before
    depths.set(one, 'being counted')
    const depth = 1 + (held.get(one) ?? []).reduce((most, inner) => Math.max(most, depthOf(inner)), 0)
    depths.set(one, depth)
    return depth
  }
  // What holds it becomes deeper with it.
  for (const one of keysContaining(key, holdersOf(links)))
    if (depthOf(one) > MAX_COMPONENT_DEPTH) throw invalid({ content: 'too_deep' })
}

export function deleteComponent(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    const links = await listComponentLinks(scope, { lock: true })
    const { key } = await getComponentRow(scope, id, { lock: true })
    const users = [...links, ...(await listEmailLinks(scope))].filter(({ components }) => components.includes(key))
    if (users.length > 0) throw conflict('component_in_use', `used by ${users.map(({ name }) => name).join(', ')}`)
    await deleteComponentRow(scope, id)
  })
}

export async function duplicateComponent(scope: MerchantScope, id: string, language?: Locale): Promise<EmailComponent> {
  const { name, content } = await getComponentRow(scope, id)
  return createComponent(scope, { name: await nameOfCopy(scope, name, language), content })
}

/** What is said of a whole mail is nothing that a part of one lacks. */
const ofWholeMails: ReadonlySet<FindingCode> = new Set([
  'no_unsubscribe_link',
  'no_sender_name',
  'no_postal_address',
  'no_contact',
  'no_subject',
  'no_content',
  'sender_missing',
  'sender_unconfirmed',
  'account_unconfirmed',
  'sender_domain_public',
  'size_clipped',
  'size_near_clipping',
])

/** Unsaved content as it will stand in the mail of the customer asked for, or of someone invented. */
export async function previewComponent(
  scope: MerchantScope,
  given: { content: string; customer_id: string | null },
): Promise<RenderedEmail> {
  const rendered = await previewEmail(scope, { ...NO_TEXTS, ...given })
  return { ...rendered, findings: rendered.findings.filter(({ code }) => !ofWholeMails.has(code)) }
}
