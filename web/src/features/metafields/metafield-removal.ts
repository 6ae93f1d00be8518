import type { MetafieldSetting, MetafieldUse } from '@okaeri/contract/metafields/metafield'
import { deleteMetafieldSetting, getMetafieldSetting } from '@okaeri/contract/metafields/routes'
import { useQueryClient } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { confirmDelete, showInUse, type Use } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** The uses of a metafield, with name and link. */
export function useMetafieldUses(): (uses: readonly MetafieldUse[]) => Use[] {
  const t = useWords('metafields')
  return (uses) =>
    uses.map(({ type, id, name }) =>
      type === 'birthday' || id === null
        ? { label: t('use.birthday'), to: paths.settings(), search: { tab: 'customer' } }
        : { label: t(`use.${type}`, { name }), to: type === 'segment' ? paths.segment(id) : paths.email(id) },
    )
}

/** Asks before a metafield is deleted, or shows its uses. */
export function useMetafieldRemoval(onDone?: () => void): (setting: MetafieldSetting) => void {
  const t = useWords('metafields')
  const client = useQueryClient()
  const usesOf = useMetafieldUses()
  const remove = useAction(deleteMetafieldSetting, {
    done: 'deleted',
    areas: ['emails', 'segments', 'customers'],
    ...(onDone && { onDone }),
  })

  const ask = async (setting: MetafieldSetting) => {
    const { used_by } = await client.fetchQuery(queryOf(getMetafieldSetting, { params: { id: setting.id } }))
    if (used_by.length > 0) return showInUse(setting.name, usesOf(used_by))
    const body = t(setting.namespace_type === 'platform' ? 'deleteBody' : 'deleteBodyCustom')
    if (await confirmDelete(t('deleteAsk', { name: setting.name }), { body }))
      remove.mutate({ params: { id: setting.id } })
  }
  return (setting) => void ask(setting).catch((error: unknown) => toast.failed(error))
}
