import './app/layers.css'
import '@mantine/core/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import '@mantine/charts/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import 'mantine-datatable/styles.layer.css'
import './app/theme.css'
import { createRoot } from 'react-dom/client'
import { initI18n } from './app/i18n.ts'
import { Application } from './app/providers.tsx'

await initI18n()
const place = document.getElementById('root')
if (!place) throw new Error('index.html has no #root')
createRoot(place).render(<Application />)
