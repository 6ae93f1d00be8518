import { mayDo, type RichMenuStatus, type RichMenuSummary } from '@okaeri/contract/rich-menus/menu'
import {
  activateRichMenu,
  deactivateRichMenu,
  deleteRichMenu,
  duplicateRichMenu,
  getRichMenuOutlook,
} from '@okaeri/contract/rich-menus/routes'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { queryClient, queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { asked, confirm, confirmDelete } from '../../ui/confirm.tsx'
import type { Tone } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { fetchOverlapText } from './overlaps.tsx'

export const statusTones = {
  draft: 'neutral',
  broadcasting: 'success',
  ended: 'neutral',
  not_set: 'neutral',
} as const satisfies Record<RichMenuStatus, Tone>

type Menu = Pick<RichMenuSummary, 'id' | 'title' | 'status' | 'segment' | 'starts_at' | 'ends_at'>

/** What can be done to a menu, each with its question. */
export function useRichMenuActions() {
  const t = useWords('richMenus')
  const { mayChange, setting } = useMerchant()
  const format = useFormat()
  const navigate = useNavigate()
  const activate = useAction(activateRichMenu, { done: { message: t('activated') } })
  const deactivate = useAction(deactivateRichMenu, { done: { message: t('deactivated') } })
  const duplicate = useAction(duplicateRichMenu, {
    done: 'duplicated',
    onDone: ({ richmenu }) => void navigate({ to: paths.richMenu(richmenu.id) }),
  })
  const remove = useAction(deleteRichMenu, { done: 'deleted' })
  const askToActivate = async ({ id, title, segment, starts_at, ends_at }: Menu) => {
    const [{ outlook }, overlaps] = await Promise.all([
      queryClient.fetchQuery(queryOf(getRichMenuOutlook, { params: { id } })),
      fetchOverlapText({ id, segment_id: segment?.id ?? null, starts_at, ends_at }, { t, format }),
    ])
    const start = starts_at ? format.dateTime(starts_at) : ''
    const isPast = starts_at !== null && Date.parse(starts_at) <= Date.now()
    const people = { count: outlook.friends, n: format.number(outlook.friends) }
    const body = [
      ...(isPast ? [t('asking.past', { start })] : []),
      starts_at === null || isPast ? t('asking.now', people) : t('asking.later', { ...people, start }),
      ...(setting.test_mode ? [t('asking.test')] : []),
      ...overlaps,
      t('asking.after'),
    ].join('\n')
    if (await confirm({ title: t('activateAsk', { title }), body, confirmLabel: t('activate') }))
      activate.mutate({ params: { id } })
  }
  const forbidden = !mayChange && t('viewerMayNot')
  return {
    activate: (menu: Menu): Action => ({
      label: t('activate'),
      icon: <IconPlayerPlay size={18} />,
      primary: true,
      busy: activate.isPending,
      disabledReason: forbidden,
      onClick: () => void askToActivate(menu).catch((failure: unknown) => toast.failed(failure)),
    }),
    deactivate: ({ id, title }: Menu): Action => ({
      label: t('deactivate'),
      disabledReason: forbidden,
      onClick: asked(
        { title: t('deactivateAsk', { title }), body: t('deactivateText'), confirmLabel: t('deactivate') },
        () => deactivate.mutate({ params: { id } }),
      ),
    }),
    duplicate: ({ id }: Menu): Action => ({
      label: t('duplicate'),
      disabledReason: forbidden,
      onClick: () => duplicate.mutate({ params: { id } }),
    }),
    remove: ({ id, title, status }: Menu): Action => ({
      label: t('delete'),
      danger: true,
      disabledReason: forbidden || (!mayDo('delete', status) && t('whileActive')),
      onClick: () =>
        void confirmDelete(t('deleteAsk', { title })).then((sure) => sure && remove.mutate({ params: { id } })),
    }),
  }
}
