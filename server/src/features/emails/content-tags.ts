import type { ContentTag } from '@okaeri/contract/emails/email'
import { componentTag } from '@okaeri/contract/emails/component-key'
import { metafieldTag } from '@okaeri/contract/metafields/metafield'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { contentTags, lineTags, metafieldPathsOf } from '../email-rendering/index.ts'
import { exampleOf, listKeptMetafields } from '../metafields/index.ts'
import { listEmailContents, templatesOf } from './component-expansion.ts'
import { listComponentLinks, listComponentsShowing, listEmailLinks } from './component-queries.ts'
import { selectEmailsMentioning, selectEmailsNaming } from './queries.ts'

/** Every tag there is for this merchant, their metafields included. */
export async function listContentTags(scope: MerchantScope): Promise<ContentTag[]> {
  const metafields = await listKeptMetafields(scope)
  return [
    ...contentTags,
    ...lineTags,
    ...(await listComponentLinks(scope)).map(
      ({ key, name }): ContentTag => ({
        tag: componentTag(key),
        category: 'components',
        value: 'text',
        name_ja: name,
        name_en: name,
        example_ja: '',
        example_en: '',
      }),
    ),
    ...metafields.map(
      (metafield): ContentTag => ({
        tag: metafieldTag(metafield),
        category: 'metafields',
        value: metafield.valueType === 'url' ? 'link' : 'text',
        name_ja: metafield.name,
        name_en: metafield.name,
        example_ja: exampleOf(metafield.valueType, 'ja'),
        example_en: exampleOf(metafield.valueType, 'en'),
      }),
    ),
  ]
}

/** Emails and components in which a block is for the members of the segment. */
export async function listContentsNaming(
  scope: MerchantScope,
  segmentId: string,
): Promise<{ type: 'email' | 'email_component'; id: string; name: string; status: string }[]> {
  const emails = await selectEmailsNaming(scope, segmentId)
  const components = await listComponentsShowing(scope, segmentId)
  return [
    ...emails.map((one) => ({ type: 'email' as const, ...one, status: 'saved' })),
    ...components.map((one) => ({ type: 'email_component' as const, ...one, status: 'saved' })),
  ]
}

/** Emails in which the metafield's value is written. */
export async function listEmailsUsingMetafield(
  scope: MerchantScope,
  { namespace, key }: { namespace: string; key: string },
): Promise<{ id: string; name: string }[]> {
  const mentioning = await selectEmailsMentioning(scope, ['metafields', namespace, key])
  // It may stand in a component of the others.
  const others = (await listEmailLinks(scope)).filter(({ id }) => !mentioning.some((email) => email.id === id))
  const withComponents = await listEmailContents(
    scope,
    others.map(({ id }) => id),
  )
  const using: { id: string; name: string }[] = []
  for (const { id, name, ...said } of [...mentioning, ...withComponents]) {
    const paths = await metafieldPathsOf(scope, templatesOf(said))
    if (paths.some((path) => path[0] === namespace && path[1] === key)) using.push({ id, name })
  }
  return using
}
