import 'altcha/external'
import 'altcha/altcha.css'
import type { AltchaWidgetElement } from 'altcha'
import 'altcha/types/react'
import Pbkdf2Worker from 'altcha/workers/pbkdf2?worker'
import ShaWorker from 'altcha/workers/sha?worker'
import { locales } from '@okaeri/contract/locale'
import { captcha } from '@okaeri/contract/system/routes'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { words } from './words.ts'
import classes from './captcha.module.css'

// Workers as files of our own: the content security policy lets nothing else run.
for (const hash of ['SHA-256', 'SHA-384', 'SHA-512']) {
  $altcha.algorithms.set(hash, () => new ShaWorker())
  $altcha.algorithms.set(`PBKDF2/${hash}`, () => new Pbkdf2Worker())
}
for (const language of locales) {
  const own = Object.entries(words.captcha).map(([key, text]) => [key, text[language]])
  $altcha.i18n.set(language, { ...$altcha.i18n.get('en'), ...Object.fromEntries(own) })
}

/** ALTCHA's check (a proof of work); `onSolved` gets the answer, or null when it is no longer good. A new `key` starts it again. */
export function Captcha({ onSolved }: { onSolved: (payload: string | null) => void }) {
  const language = useLanguage()
  const widget = useRef<AltchaWidgetElement>(null)
  const latest = useRef(onSolved)
  latest.current = onSolved
  useEffect(() => {
    const element = widget.current
    const changed = (event: Event) => {
      const { state, payload } = (event as CustomEvent<{ state: string; payload?: string }>).detail
      latest.current(state === 'verified' && payload ? payload : null)
    }
    element?.addEventListener('statechange', changed)
    return () => element?.removeEventListener('statechange', changed)
  }, [])
  return (
    <div className={classes.captcha}>
      <altcha-widget
        ref={widget}
        challenge={captcha.path}
        language={language}
        configuration={JSON.stringify({ hideFooter: true, hideLogo: true, humanInteractionSignature: false })}
      />
    </div>
  )
}
