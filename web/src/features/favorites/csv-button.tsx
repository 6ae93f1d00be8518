import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { toast } from '../../ui/toast.ts'

/** Downloads what the list shows, all pages. */
export function CsvButton({ run }: { run: () => Promise<void> }) {
  const t = useWords('favorites')
  const [busy, setBusy] = useState(false)
  const click = () => {
    setBusy(true)
    run()
      .catch((error: unknown) => toast.failed(error))
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} loading={busy} onClick={click}>
      {t('csv')}
    </Button>
  )
}
