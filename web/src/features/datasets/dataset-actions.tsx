import type { Dataset, DatasetId, DatasetStore } from '@okaeri/contract/datasets/dataset'
import { checkDataset, downloadDataset, refetchDataset } from '@okaeri/contract/datasets/routes'
import { IconArrowsExchange, IconDownload, IconRefresh } from '@tabler/icons-react'
import { download } from '../../api/call.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import type { Action } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

const icon = { size: 18, 'aria-hidden': true } as const
/** Other areas that a copy changes. */
const areas = ['customers', 'segments', 'store']

/** Datasets small enough to be fetched completely each time. */
const wholeOnly: readonly DatasetId[] = ['segments', 'metafields']

/** Refresh interval while something is fetched. */
export const POLL_MS = 2000
export const IDLE_POLL_MS = 30_000

/** The actions of a dataset. A disabled one says why. */
export function useDatasetActions(store: DatasetStore | undefined) {
  const t = useWords('datasets')
  const language = useLanguage()
  const { mayChange } = useMerchant()
  const refetch = useAction(refetchDataset, { done: { message: t('refetching') }, areas })
  const check = useAction(checkDataset, { done: { message: t('checking') }, areas })
  const ask = async (dataset: Dataset) => {
    const name = dataset.name[language]
    if (await confirm({ title: t('refetchAsk', { name }), body: t('refetchText'), confirmLabel: t('refetch') }))
      refetch.mutate({ params: { id: dataset.id }, body: {} })
  }
  return (dataset: Dataset) => {
    const whyNot =
      (!mayChange && t('viewerMayNot')) ||
      (store?.connected === false && t('notConnected')) ||
      (dataset.status === 'fetching' && t('underWay'))
    return {
      refetch: {
        label: t('refetch'),
        icon: <IconRefresh {...icon} />,
        disabledReason: whyNot,
        onClick: () => void ask(dataset),
      },
      check: {
        label: t('check'),
        icon: <IconArrowsExchange {...icon} />,
        disabledReason: (wholeOnly.includes(dataset.id) && t('notCompared')) || whyNot,
        onClick: () => check.mutate({ params: { id: dataset.id } }),
      },
      csv: {
        label: t('csv'),
        icon: <IconDownload {...icon} />,
        onClick: () => {
          download(
            downloadDataset,
            { params: { id: dataset.id }, query: { lang: language } },
            `${dataset.id}.csv`,
          ).catch((error: unknown) => toast.failed(error))
        },
      },
    } satisfies Record<string, Action>
  }
}
