import type { EmailAddressSeen } from '@okaeri/contract/emails/addresses'
import { type Design, listBlocks } from '@okaeri/contract/emails/design'
import type { Finding } from '@okaeri/contract/emails/email'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listHiddenHandles } from '../catalog/index.ts'
import { finding, type MailAddress } from '../email-rendering/index.ts'
import { type AddressToCheck, type CheckedAddress, isOurs, readAddresses } from '../link-checks/index.ts'
import { sizesOfPictures } from '../media/index.ts'
import { findStore } from '../stores/index.ts'
import { isHidden, isShortened, productHandle, codeInLink } from './address-rules.ts'

/** Per kind; more would not help. */
const MAX_PER_CODE = 10
/** A mail of pictures larger than this comes slowly on the way to work. */
const HEAVY_PICTURE_BYTES = 1_000_000
const HEAVY_TOGETHER_BYTES = 2_000_000

/** What a mail leads to: an address, or a discount code of the store. */
interface Target {
  kind: 'page' | 'picture' | 'coupon'
  written: string
  line?: number
  block?: string
  places: number
  /** Null: it is not looked at. */
  checked: AddressToCheck | null
  known: CheckedAddress | null
  isOurs: boolean
  /** The size of the merchant's own picture; null: it is no longer shown. */
  ownSize?: number | null
}

/** What is known of all that a mail leads to. Reads only. */
export async function readTargets(
  scope: MerchantScope,
  { addresses, design }: { addresses: readonly MailAddress[]; design: Design | null | undefined },
): Promise<Target[]> {
  const store = await findStore(scope)
  const hosts = storeAddresses(store)
  const parsed = addresses.map((address) => ({ address, url: address.url === null ? null : URL.parse(address.url) }))
  const sizes = await sizesOfPictures(
    scope,
    addresses.flatMap(({ kind, url }) => (kind === 'picture' && url !== null ? [url] : [])),
  )
  const targets = parsed.map(({ address: { kind, written, url, line, places }, url: read }): Target => {
    const ours = read !== null && isOurs(scope, read)
    const size = url === null ? undefined : sizes.get(url)
    return {
      kind,
      written,
      line,
      places,
      checked: url === null || ours ? null : { kind, address: url },
      known: null,
      isOurs: ours,
      ...(size !== undefined && { ownSize: size }),
    }
  })
  const inLinks = parsed.flatMap(({ address, url }) => {
    const code = address.kind === 'page' && url ? codeInLink(url, hosts) : null
    return code === null ? [] : [{ code, line: address.line }]
  })
  const inBlocks = listBlocks(design?.blocks ?? []).flatMap((block) =>
    block.kind === 'coupon' && block.source === 'typed' && /^[^{}]+$/.test(block.code.trim())
      ? [{ code: block.code.trim(), block: block.id }]
      : [],
  )
  const codes = new Map<string, Target>()
  for (const { code, ...place } of [...inBlocks, ...inLinks]) {
    const before = codes.get(code)
    if (before) before.places += 1
    else
      codes.set(code, {
        kind: 'coupon',
        written: code,
        ...place,
        places: 1,
        checked: { kind: 'coupon', address: code },
        known: null,
        isOurs: false,
      })
  }
  const all = [...targets, ...codes.values()]
  const known = await readAddresses(
    scope,
    all.flatMap(({ checked }) => checked ?? []),
  )
  for (const target of all) if (target.checked) target.known = known(target.checked)
  return all
}

const storeAddresses = (store: Awaited<ReturnType<typeof findStore>>): URL[] =>
  (store ? [store.storefront_url, `https://${store.shop_domain}`] : []).flatMap((one) => URL.parse(one ?? '') ?? [])

/** What is found in what a mail leads to, as it is known now. `sentAt`: when it would leave; `recipients`: to how many. */
export async function findingsOfTargets(
  scope: MerchantScope,
  targets: readonly Target[],
  { sentAt = scope.now, recipients = 0 }: { sentAt?: Date; recipients?: number },
): Promise<Finding[]> {
  const hosts = storeAddresses(await findStore(scope))
  const pages = targets.flatMap((target) => {
    const url = target.kind === 'page' && target.checked ? URL.parse(target.checked.address) : null
    return url ? [{ ...target, url }] : []
  })
  const handles = pages.flatMap(({ url }) => productHandle(url, hosts) ?? [])
  const hidden = new Set(handles.length === 0 ? [] : await listHiddenHandles(scope, handles))
  const found: Finding[] = []
  const add = (code: Finding['code'], { written, line, block }: Target, more: Partial<Finding> = {}): void => {
    if (found.filter((one) => one.code === code).length < MAX_PER_CODE)
      found.push({ ...finding(code, written, line), ...(block !== undefined && { block }), ...more })
  }
  const own = new URL(scope.context.settings.publicUrl)
  for (const page of pages) {
    if (isHidden(page.url, { hosts, own })) add('link_private', page)
    else if (hidden.has(productHandle(page.url, hosts) ?? '')) add('link_to_hidden_product', page)
    else if (isDead(page.known)) add('link_dead', page)
    if (isShortened(page.url)) add('link_shortened', page)
  }
  let together = 0
  for (const picture of targets.filter(({ kind }) => kind === 'picture')) {
    const size = picture.ownSize ?? picture.known?.size_bytes ?? 0
    together += size
    if (picture.ownSize === null || isDead(picture.known)) add('picture_dead', picture)
    else if (size > HEAVY_PICTURE_BYTES) add('picture_heavy', picture, { bytes: size })
  }
  if (together > HEAVY_TOGETHER_BYTES) found.push({ ...finding('pictures_heavy'), bytes: together })
  for (const coupon of targets.filter(({ kind }) => kind === 'coupon')) {
    const { known } = coupon
    if (known?.outcome === 'gone') add('coupon_unknown', coupon)
    else if (known?.ends_at && known.ends_at <= sentAt) add('coupon_ended', coupon)
    else if (known?.begins_at && known.begins_at > sentAt) add('coupon_not_begun', coupon)
    else if (known?.uses_left != null && known.uses_left < recipients)
      add('coupon_too_few', coupon, { people: known.uses_left })
  }
  return found
}

const isDead = (known: CheckedAddress | null): boolean => known?.outcome === 'gone' || known?.outcome === 'no_host'

export const presentTarget = (target: Target): EmailAddressSeen => {
  const { kind, written, line, block, places, known, checked } = target
  const { state, reason } = stateOf(target)
  const led = known?.leads_to ?? null
  return {
    kind,
    written,
    ...(line !== undefined && { line }),
    ...(block !== undefined && { block }),
    places,
    state,
    reason,
    status: known?.status ?? null,
    leads_to: led !== null && checked !== null && led !== checked.address ? led : null,
    size_bytes: target.ownSize ?? known?.size_bytes ?? null,
    ends_at: known?.ends_at?.toISOString() ?? null,
    uses_left: known?.uses_left ?? null,
    checked_at: known?.checked_at?.toISOString() ?? null,
  }
}

function stateOf({ checked, known, isOurs: ours, ownSize }: Target): Pick<EmailAddressSeen, 'state' | 'reason'> {
  if (ownSize !== undefined) return { state: ownSize === null ? 'gone' : 'answers', reason: null }
  if (checked === null) return { state: 'never_checked', reason: ours ? 'ours' : 'personal' }
  if (known === null) return { state: 'not_checked', reason: null }
  if (known.waits) return { state: 'waits', reason: null }
  return { state: known.outcome ?? 'not_checked', reason: known.reason }
}
