import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { DatesProvider } from '@mantine/dates'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import 'dayjs/locale/ja'
import { StrictMode } from 'react'
import { queryClient } from '../api/queries.ts'
import { SignInAgain } from '../features/sessions/sign-in-again.tsx'
import { DatabaseWait } from './database-wait.tsx'
import { keepForFirstPaint, useLanguage } from './i18n.ts'
import { router } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

/** Spec §9: toasts last 5 seconds, at the bottom center. */
const TOAST_MS = 5000

const kept = localStorageColorSchemeManager()
const colorSchemes: typeof kept = {
  ...kept,
  set(scheme) {
    kept.set(scheme)
    keepForFirstPaint('color_scheme', scheme)
  },
}

export function Application() {
  const language = useLanguage()
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          colorSchemeManager={colorSchemes}
          defaultColorScheme="auto"
        >
          <DatesProvider settings={{ locale: language, firstDayOfWeek: 0, consistentWeeks: true }}>
            <Notifications position="bottom-center" autoClose={TOAST_MS} />
            {/* Dialogs are inside the router because they contain links. */}
            <RouterProvider router={router} InnerWrap={ModalsProvider} />
            <SignInAgain />
            <DatabaseWait />
          </DatesProvider>
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>
  )
}
