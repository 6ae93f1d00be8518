import { Group, SegmentedControl, Text } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { getFavoriteSettings } from '@okaeri/contract/favorites/settings'
import type { Localized } from '@okaeri/contract/locale'
import { getRestockSettings } from '@okaeri/contract/restocks/wave-routes'
import { getStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import { consentWordingOf, defaultConsentWording } from '@okaeri/contract/storefront-settings/settings'
import { type WidgetPart, type WidgetSettings, widgetParts } from '@okaeri/contract/visitors/widget'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { languageNames } from '@okaeri/contract/locale'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { words } from './words.ts'
import classes from './widget-preview.module.css'

/** As the server hands them to shops' pages; the version is not looked at. */
const PARTS_AT = '/assets/js/parts/preview'
/** What is typed is shown when the person stops typing. */
const SETTLE_MS = 250

type Language = 'ja' | 'en'
interface Module {
  open?: (start: unknown) => unknown
  mount?: (place: Element, kit: unknown) => void
}
const load = (name: string): Promise<Module> => import(/* @vite-ignore */ `${PARTS_AT}/${name}.js`) as Promise<Module>

/** What the settings of these features say, as `/frontend/status` hands it to the parts. */
interface Facts {
  favorites: { show_count: boolean }
  consent: { wording: Localized; double_opt_in: boolean }
  restock: { email: boolean; line: boolean; texts: Record<string, Localized> }
}

/** Null: not known yet. What cannot be read is as at first. */
function useFacts(): Facts | null {
  const favorites = useQuery(queryOf(getFavoriteSettings, {}))
  const storefront = useQuery(queryOf(getStorefrontSettings, {}))
  const restock = useQuery(queryOf(getRestockSettings, {}))
  if (favorites.isPending || storefront.isPending || restock.isPending) return null
  const consent = storefront.data?.storefront_settings
  const { email_button: email = true, line_button: line = false, texts = {} } = restock.data?.restock_settings ?? {}
  return {
    favorites: { show_count: favorites.data?.favorite_settings.show_count ?? false },
    consent: {
      wording: consent ? consentWordingOf(consent) : defaultConsentWording,
      double_opt_in: consent?.double_opt_in ?? true,
    },
    restock: { email, line, texts },
  }
}

/** As a visitor who is new is answered. */
const answersWith = ({ consent: { wording } }: Facts): readonly [RegExp, unknown][] => [
  [/\/proxy\/(token|connect)/, { token: { access_token: 'preview', expires_in: 600, is_signed_in: true } }],
  [/\/frontend\/favorite/, { favorites: [] }],
  [/\/favorites\/products/, { products: [{ product_id: 1, count: 12 }] }],
  [/\/proxy\/birthday/, { birthday: { birthday: null, changes_left: 2 } }],
  [/\/accepts-marketing/, { marketing: { accepts_marketing: false, wording_ja: wording.ja, wording_en: wording.en } }],
]

/** Nothing leaves the page. */
const answerHere =
  (facts: Facts) =>
  (address: string): Promise<Response> => {
    const [, answer = {}] = answersWith(facts).find(([path]) => path.test(address)) ?? []
    const headers = { 'content-type': 'application/json' }
    return Promise.resolve(new Response(JSON.stringify(answer), { status: 200, headers }))
  }

const startOf = ({ texts, colors }: WidgetSettings, facts: Facts, language: Language) => ({
  api: '',
  proxy: '',
  page: {
    shop: 'preview.myshopify.com',
    language,
    type: 'product',
    customerId: '1',
    product: { id: 1, variants: [{ id: 1, available: false, title: '100 g' }] },
  },
  settings: {
    on: true,
    parts: Object.fromEntries(widgetParts.map((part) => [part, { on: true, place: null }])),
    texts,
    colors: Object.fromEntries(Object.entries(colors).filter(([, color]) => /^#[0-9a-f]{6}$/i.test(color))),
    facts,
  },
  realm: { fetch: answerHere(facts), JSON },
})

/** The parts themselves, on a page like a shop's. */
export function WidgetPreview({ settings, built }: { settings: WidgetSettings; built: readonly WidgetPart[] }) {
  const t = useWords('visitors')
  const own = useLanguage()
  const [look, setLook] = useState<'light' | 'dark'>('light')
  const [language, setLanguage] = useState<Language>(own)
  const [failed, setFailed] = useState(false)
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const [seen, setSeen] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (inViewport) setSeen(true)
  }, [inViewport])

  const facts = JSON.stringify(useFacts())
  const shown = JSON.stringify(settings)
  const parts = built.join()
  useEffect(() => {
    const known = JSON.parse(facts) as Facts | null
    if (!seen || !known) return undefined
    let isOver = false
    const draw = async (): Promise<void> => {
      const { open } = await load('kit')
      const now = JSON.parse(shown) as WidgetSettings
      const kit = open?.(startOf(now, known, language))
      for (const place of page.current?.querySelectorAll<HTMLElement>('[data-part]') ?? []) {
        const part = place.dataset['part'] as WidgetPart
        // A part that is not there, or fails, leaves its place empty, as on a shop's page.
        const isThere = now.parts[part].on && parts.includes(part)
        const mount = isThere ? (await load(part).catch(() => null))?.mount : undefined
        if (isOver) return
        const inner = document.createElement('div')
        inner.dataset['okaeri'] = part
        inner.dataset['productId'] = '1'
        place.replaceChildren(inner)
        try {
          mount?.(inner, kit)
        } catch {
          place.replaceChildren()
        }
      }
      setFailed(false)
    }
    const timer = setTimeout(() => void draw().catch(() => setFailed(true)), SETTLE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [seen, shown, facts, language, parts])

  const shop = (name: keyof typeof words.shop): string => words.shop[name][language]
  return (
    <div ref={ref}>
      <Group gap="md" mb="sm">
        <SegmentedControl
          aria-label={t('preview.look')}
          value={look}
          onChange={(value) => setLook(value as typeof look)}
          data={(['light', 'dark'] as const).map((one) => ({ value: one, label: t(`preview.${one}`) }))}
        />
        <SegmentedControl
          aria-label={t('preview.language')}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          data={(['ja', 'en'] as const).map((one) => ({ value: one, label: languageNames[one] }))}
        />
      </Group>
      {failed && (
        <Text size="sm" c="red" role="alert">
          {t('preview.failed')}
        </Text>
      )}
      <div
        ref={page}
        className={classes.page}
        data-look={look}
        lang={language}
        role="group"
        aria-label={t('preview.region')}
      >
        <div className={classes.product}>
          <div className={classes.picture}>
            <svg viewBox="0 0 200 160" aria-hidden="true">
              <path d="M55 70h90l-9 52q-3 14-18 14H82q-15 0-18-14z" fill="currentColor" opacity=".18" />
              <ellipse cx="100" cy="70" rx="45" ry="11" fill="currentColor" opacity=".32" />
              <path
                d="M84 48q-7-9 0-17t0-17M104 48q-7-9 0-17t0-17"
                fill="none"
                stroke="currentColor"
                strokeWidth="3"
                strokeLinecap="round"
                opacity=".3"
              />
            </svg>
            <div className={classes.heart} data-part="heart" />
          </div>
          <div className={classes.facts}>
            <p className={classes.name}>{shop('product')}</p>
            <p>{shop('price')}</p>
            <p className={classes.soft}>{shop('size')}</p>
            <p className={classes.soldOut}>{shop('soldOut')}</p>
            <div data-part="restock" />
          </div>
        </div>
        <div className={classes.more}>
          <div>
            <p className={classes.head}>{shop('account')}</p>
            <div data-part="birthday" />
            <div data-part="consent" />
          </div>
          <div>
            <p className={classes.head}>{shop('footer')}</p>
            <div data-part="sign-up" />
          </div>
        </div>
      </div>
    </div>
  )
}
