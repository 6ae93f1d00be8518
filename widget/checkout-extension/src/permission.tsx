import { useState } from 'preact/hooks'
import type { CallError, Calls } from './calls.ts'
import { shopify } from './platform.ts'
import { language, Said, type Status, why } from './words.tsx'

export interface OwnPermission {
  accepts_marketing: boolean
  wording_ja: string
  wording_en: string
}

/** As it is, never checked beforehand. What is sent is what was shown. */
export function Permission({ calls, first }: { calls: Calls; first: OwnPermission }) {
  const [now, setNow] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState<Status>(null)
  const wording = language() === 'ja' ? now.wording_ja : now.wording_en

  const choose = async (accepts_marketing: boolean): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setSaid(null)
    setNow({ ...now, accepts_marketing })
    try {
      const { marketing } = await calls.call<{ marketing: OwnPermission }>('POST', '/accepts-marketing', {
        accepts_marketing,
        wording,
        language: language(),
        page: shopify.extension.target,
      })
      setNow(marketing)
      setSaid({ tone: 'success', text: shopify.i18n.translate('saved') })
    } catch (error) {
      setNow({ ...now })
      setSaid({ tone: 'critical', text: why(error as CallError) })
    }
    setBusy(false)
  }

  return (
    <s-stack gap="small">
      <s-checkbox
        name="permission"
        label={wording}
        checked={now.accepts_marketing}
        disabled={isBusy}
        onChange={(event) => void choose((event.currentTarget as unknown as { checked: boolean }).checked)}
      />
      <Said status={said} />
    </s-stack>
  )
}
