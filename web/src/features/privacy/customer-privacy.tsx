import { eraseCustomer, exportCustomer } from '@okaeri/contract/privacy/routes'
import { IconFileCode, IconFileText, IconUserX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { download } from '../../api/call.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** For the menu of a customer's page: export all personal data, and erase. Only for the owner. */
export function useCustomerPrivacy(id: string, name: string): readonly Action[] {
  const t = useWords('privacy')
  const language = useLanguage()
  const navigate = useNavigate()
  const { member } = useMerchant()
  const isOwner = member.role === 'owner'
  const erase = useAction(eraseCustomer, {
    areas: ['customers', 'segments', 'privacy'],
    onDone: () => {
      toast.done(t('erasing'))
      void navigate({ to: paths.privacy() })
    },
  })
  const save = (format: 'html' | 'json') =>
    void download(exportCustomer, { params: { id }, query: { format, lang: language } }, `customer.${format}`).catch(
      toast.failed,
    )
  const ask = async () => {
    const sure = await confirm({
      title: t('eraseAsk', { name }),
      body: t('eraseBody'),
      confirmLabel: t('eraseConfirm'),
      danger: true,
      irreversible: true,
    })
    if (sure) erase.mutate({ params: { id }, body: { confirm: true } })
  }
  return [
    {
      label: t('export.html'),
      icon: <IconFileText size={18} aria-hidden />,
      disabledReason: !isOwner && t('ownerOnly'),
      onClick: () => save('html'),
    },
    {
      label: t('export.json'),
      icon: <IconFileCode size={18} aria-hidden />,
      disabledReason: !isOwner && t('ownerOnly'),
      onClick: () => save('json'),
    },
    {
      label: t('erase'),
      icon: <IconUserX size={18} aria-hidden />,
      danger: true,
      disabledReason: !isOwner && t('eraseOwnerOnly'),
      onClick: () => void ask(),
    },
  ]
}
