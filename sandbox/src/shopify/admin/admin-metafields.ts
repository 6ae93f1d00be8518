import { escapeHtml } from '../../page.ts'
import { type adminRoutes, type AdminView, form } from './admin-frame.ts'
import { findCustomer, setMetafield } from '../customers.ts'
import { listMetafields } from '../metafield-rows.ts'
import { deleteMetafield, findDefinition, listDefinitions } from '../metafields.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/

/** A customer's metafields with an input each. Unlike in the API anything may be written: values that break their type exist. */
export function metafieldCard(view: AdminView, customerId: number): string {
  const { scope, t } = view
  const values = new Map(
    listMetafields(scope, { type: 'Customer', id: customerId }, null).map((row) => [
      `${row.namespace}.${row.key}`,
      row,
    ]),
  )
  const defined = listDefinitions(scope).map(({ namespace, key, name, type }) => ({
    full: `${namespace}.${key}`,
    name,
    type,
  }))
  const others = [...values.entries()]
    .filter(([full]) => !defined.some((one) => one.full === full))
    .map(([full, { type }]) => ({ full, name: full, type }))
  const inputs = [...defined, ...others]
    .map(
      ({ full, name, type }) =>
        `<div class="field"><label for="m-${full}">${escapeHtml(name)} <span class="muted small mono">${escapeHtml(full)} · ${escapeHtml(type)}</span></label><input id="m-${full}" name="${full}" value="${escapeHtml(values.get(full)?.value ?? '')}"></div>`,
    )
    .join('')
  const added = `<div class="row"><input name="new_key" placeholder="namespace.key" aria-label="${t({ ja: '新しいキー', en: 'New key' })}"><input name="new_value" placeholder="${t({ ja: '値', en: 'Value' })}" aria-label="${t({ ja: '新しい値', en: 'New value' })}"></div>`
  return `<section class="card"><h2>${t({ ja: 'メタフィールド', en: 'Metafields' })}</h2><p class="muted small">${t({ ja: '空にすると削除します。', en: 'An emptied one is deleted.' })}</p>${form(
    view,
    `/customers/${customerId}/metafields`,
    `${inputs}${added}<button>${t({ ja: '保存', en: 'Save' })}</button>`,
  )}</section>`
}

export function mountAdminMetafields(admin: ReturnType<typeof adminRoutes>): void {
  admin.submit('/customers/:id/metafields', (view) => {
    const { scope, t, id } = view
    if (!findCustomer(scope, id))
      return { to: '/customers', notice: t({ ja: '!顧客が見つかりません。', en: '!No such customer.' }) }
    const owner = { type: 'Customer', id }
    const known = new Map(listMetafields(scope, owner, null).map((row) => [`${row.namespace}.${row.key}`, row]))
    const wanted = { ...view.form, [view.form.new_key?.trim() ?? '']: view.form.new_value ?? '' }
    for (const [full, typed] of Object.entries(wanted)) {
      const [namespace = '', key = ''] = full.split('.')
      if (!NAME.test(namespace) || !NAME.test(key)) continue
      const value = typed?.trim() ?? ''
      const before = known.get(full)
      if (value === (before?.value ?? '')) continue
      if (value === '') deleteMetafield(scope, owner, { namespace, key })
      else {
        const type = before?.type ?? findDefinition(scope, { namespace, key })?.type ?? 'single_line_text_field'
        setMetafield(scope, owner, { namespace, key, type, value })
      }
    }
    return {
      to: `/customers/${id}`,
      notice: t({ ja: 'メタフィールドを保存しました。', en: 'The metafields were saved.' }),
    }
  })
}
