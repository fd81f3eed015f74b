import { useTranslation } from 'react-i18next'
import { Section } from '../../components/page.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import type { MappingPartProps } from './fields-form.tsx'
import classes from './import.module.css'
import { faultsAt, settingsNotShown, withMember } from './mapping.ts'
import { MemberList } from './member-list.tsx'

/** The rows that are left out, and members of the mapping that the form does not show. */
export function RowRules({ doc, change, columns, faults }: MappingPartProps) {
  const { t } = useTranslation('import')
  const skip: unknown[] = Array.isArray(doc['skip']) ? doc['skip'] : []
  const set = (next: unknown[]) => change(withMember(doc, 'skip', next.length === 0 ? undefined : next))
  const hidden = settingsNotShown(doc)
  return (
    <>
      <Section title={t('skip.title')} note={t('skip.note')}>
        <MemberList
          members={skip}
          set={set}
          removeLabel={(number) => t('skip.remove', { number })}
          addLabel={t('skip.add')}
          isAddable={columns.length > 0}
          next={() => ({ column: columns[0]?.name ?? '', empty: true })}
        >
          {(condition, i, setCondition) => (
            <>
              <ConditionEditor
                label={t('skip.rule', { number: i + 1 })}
                value={condition}
                set={setCondition}
                columns={columns}
              />
              {faultsAt(faults, `skip.${i}`).map(({ reason }) => (
                <p key={reason} className={classes.error}>
                  {reason}
                </p>
              ))}
            </>
          )}
        </MemberList>
      </Section>
      {hidden.length === 0 ? null : (
        <p className={`${classes.quiet} ${classes.hidden}`}>{t('form.hidden', { names: hidden.join(', ') })}</p>
      )}
    </>
  )
}
