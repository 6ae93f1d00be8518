import type { MetafieldSetting, MetafieldUse } from '@okaeri/contract/metafields/metafield'
import { deleteMetafieldSetting, getMetafieldSetting } from '@okaeri/contract/metafields/routes'
import { useQueryClient } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** `セグメント「お茶好き」` */
export function useUseNames(): (use: MetafieldUse) => string {
  const t = useWords('metafields')
  return ({ type, name }) => (type === 'birthday' ? t('use.birthday') : `${t(`use.${type}`)}: ${name}`)
}

/** Asks, and says what stands against it, before a metafield is deleted. */
export function useMetafieldRemoval(onDone?: () => void): (setting: MetafieldSetting) => void {
  const t = useWords('metafields')
  const format = useFormat()
  const client = useQueryClient()
  const nameOf = useUseNames()
  const remove = useAction(deleteMetafieldSetting, {
    done: 'deleted',
    areas: ['emails', 'segments', 'customers'],
    ...(onDone && { onDone }),
  })

  const ask = async (setting: MetafieldSetting) => {
    const { used_by } = await client.fetchQuery(queryOf(getMetafieldSetting, { params: { id: setting.id } }))
    if (used_by.length > 0) return toast.error(t('inUse', { names: format.list(used_by.map(nameOf)) }))
    const body = t(setting.namespace_type === 'platform' ? 'deleteBody' : 'deleteBodyCustom')
    if (await confirmDelete(t('deleteAsk', { name: setting.name }), { body }))
      remove.mutate({ params: { id: setting.id } })
  }
  return (setting) => void ask(setting).catch((error: unknown) => toast.failed(error))
}
