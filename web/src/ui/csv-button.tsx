import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../app/i18n.ts'
import { toast } from './toast.ts'

/** `run` is usually `() => download(endpoint, input, name)`. */
export function CsvButton({ label, run }: { label?: string | undefined; run: () => Promise<void> }) {
  const t = useWords('ui')
  const [busy, setBusy] = useState(false)
  const click = () => {
    setBusy(true)
    run()
      .catch((error: unknown) => toast.failed(error))
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} loading={busy} onClick={click}>
      {label ?? t('report.csv')}
    </Button>
  )
}
