import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Birthday, type OwnBirthday } from './birthday.tsx'
import { type Calls, openCalls } from './calls.ts'
import { type OwnPermission, Permission } from './permission.tsx'
import { shopify } from './platform.ts'

/** Called by the platform for each place that a merchant gave the block. */
export default function extension(): void {
  render(<Block />, document.body)
}

interface Known {
  calls: Calls
  birthday: OwnBirthday | null
  permission: OwnPermission | null
}

async function load(): Promise<Known | null> {
  const calls = await openCalls()
  if (!calls) return null
  const { parts } = calls.entered
  const [birthday, permission] = await Promise.all([
    parts.birthday ? calls.call<{ birthday: OwnBirthday }>('GET', '/birthday') : null,
    parts.consent ? calls.call<{ marketing: OwnPermission }>('GET', '/accepts-marketing') : null,
  ])
  return { calls, birthday: birthday?.birthday ?? null, permission: permission?.marketing ?? null }
}

function Block() {
  const [settings, setSettings] = useState(shopify.settings.value)
  const [known, setKnown] = useState<Known | null>(null)
  useEffect(() => shopify.settings.subscribe(setSettings), [])
  useEffect(() => {
    // For a guest there is nothing to ask; and where it fails, the page is the shop's.
    load().then(setKnown, () => undefined)
  }, [])
  // A merchant who places it is no customer.
  if (!known) return shopify.extension.editor ? <s-banner>{shopify.i18n.translate('preview')}</s-banner> : null
  const birthday = settings['hide_birthday'] === true ? null : known.birthday
  const permission = settings['hide_permission'] === true ? null : known.permission
  return (
    <s-stack gap="large">
      {birthday && <Birthday calls={known.calls} first={birthday} />}
      {permission && <Permission calls={known.calls} first={permission} />}
    </s-stack>
  )
}
