import { Skeleton } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'
import classes from './figure.module.css'

// The chart library is as large as the rest of a page.
const FigureChart = lazy(() => import('./figure-chart.tsx'))

interface FigureProps {
  label: string
  /** Already formatted; undefined shows a skeleton of the same size. */
  value: string | undefined
  /** The number and that of the period before, shown as a change in percent. Omit without a comparison. */
  change?: {
    now: number
    /** Null if the period before has no value. */
    before: number | null
    /** For rates: the difference in points, not in percent. */
    points?: boolean
    /** The basis of the comparison, if it is not the period before. */
    against?: string
    /** Higher is worse (bounces). */
    lowerIsBetter?: boolean
  }
  /** The number over time, as a small curve; drawn only if there is something to see. */
  curve?: readonly number[] | undefined
  /** How the number is counted. */
  hint?: ReactNode
}

/** One number of a report. */
export function Figure({ label, value, change, curve, hint }: FigureProps) {
  const isCurve = curve !== undefined && curve.length > 1 && curve.some((point) => point !== curve[0])
  return (
    <div className={classes.figure} role="group" aria-label={label}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value ?? <Skeleton height={28} width="70%" />}</div>
      {/* Reserves the line of the change while it is unknown. */}
      {value === undefined && <div className={classes.change}>{'\u00a0'}</div>}
      {change && value !== undefined && <Change {...change} />}
      {hint && <div className={classes.hint}>{hint}</div>}
      {/* The numbers are in the table of the chart below. */}
      {isCurve && (
        <div className={classes.curve} aria-hidden>
          <Suspense fallback={null}>
            <FigureChart points={curve} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

function Change({ now, before, points, against, lowerIsBetter }: NonNullable<FigureProps['change']>) {
  const t = useWords('ui')
  const format = useFormat()
  if (before === null) return <div className={classes.hint}>{t('report.noComparison')}</div>
  // There is no percentage from zero.
  if (before === 0 && !points)
    return <div className={classes.hint}>{t('report.previousNumber', { n: format.number(before) })}</div>
  const difference = points ? now - before : ((now - before) / before) * 100
  const rounded = Math.round(difference * 10) / 10
  const Icon = rounded > 0 ? IconArrowUpRight : rounded < 0 ? IconArrowDownRight : IconMinus
  const good = rounded === 0 ? undefined : rounded > 0 !== (lowerIsBetter ?? false)
  return (
    <div className={classes.change} data-good={good}>
      <Icon size={16} aria-hidden />
      {rounded > 0 ? '+' : ''}
      {points ? `${format.percent(rounded).replace('%', '')} pt` : format.percent(rounded)}
      <span className={classes.hint}>{against ?? t('report.previous')}</span>
    </div>
  )
}

/** Figures side by side, as many as fit. */
export const Figures = ({ children }: { children: ReactNode }) => <div className={classes.figures}>{children}</div>
