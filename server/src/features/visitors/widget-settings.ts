import {
  plainPlace,
  plainWidgetSettings,
  type WidgetPart,
  type WidgetSettings,
  type WidgetSettingsChange,
  type WidgetText,
  widgetParts,
} from '@okaeri/contract/visitors/widget'
import type { FrontendStatus } from '@okaeri/contract/visitors/routes'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { presentInstall } from './install.ts'
import { findScript } from './script.ts'
import { findWidgetSettings, makeWidgetSettings, updateWidgetSettings } from './queries.ts'

/** With what was never changed. A part or text that a later version added has its plain values. */
export async function readWidgetSettings(scope: MerchantScope): Promise<WidgetSettings> {
  const plain = plainWidgetSettings()
  const stored = await findWidgetSettings(scope)
  if (!stored) return plain
  return {
    // Only known parts are read: an earlier version stored one more.
    parts: Object.fromEntries(
      widgetParts.map((part) => [part, stored.parts[part] ?? plain.parts[part]]),
    ) as WidgetSettings['parts'],
    texts: { ...plain.texts, ...stored.texts },
    colors: { ...plain.colors, ...stored.colors },
  }
}

export function changeWidgetSettings(scope: MerchantScope, change: WidgetSettingsChange): Promise<void> {
  return scope.transaction(async (scope) => {
    await makeWidgetSettings(scope)
    const stored = await findWidgetSettings(scope, { lock: true })
    await updateWidgetSettings(scope, {
      parts: { ...stored?.parts, ...change.parts },
      texts: { ...stored?.texts, ...change.texts },
      colors: { ...stored?.colors, ...change.colors },
    } as WidgetSettings)
  })
}

export async function presentWidgetSettings(scope: MerchantScope) {
  return {
    widgetSettings: await readWidgetSettings(scope),
    built: await builtParts(scope.context),
    install: await presentInstall(scope),
  }
}

async function builtParts(context: Context): Promise<WidgetPart[]> {
  try {
    const { parts } = await findScript(context)
    return widgetParts.filter((part) => parts.has(`${part}.js`))
  } catch (error) {
    // It is being built: the settings are there all the same.
    if (error instanceof AppError) return []
    throw error
  }
}

/** What of it the script needs. */
export function statusFrom({ parts, texts, colors }: WidgetSettings): Pick<FrontendStatus, 'texts' | 'colors'> & {
  parts: Omit<FrontendStatus['parts'], 'views'>
} {
  const onPage = (part: WidgetPart) => {
    const { on, selector, where } = { ...plainPlace(), ...parts[part] }
    return { on, place: selector.trim() === '' ? null : { selector, where } }
  }
  const own = (Object.entries(texts) as [WidgetText, { ja: string; en: string }][]).filter(
    ([, { ja, en }]) => ja !== '' || en !== '',
  )
  return {
    parts: Object.fromEntries(widgetParts.map((part) => [part, onPage(part)])) as Omit<
      FrontendStatus['parts'],
      'views'
    >,
    texts: Object.fromEntries(own),
    colors: Object.fromEntries(Object.entries(colors).filter(([, color]) => color !== '')),
  }
}
