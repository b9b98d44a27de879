-- Runs after every migration. The service role may add rows to the ledger, and never change or delete one.
DO $$
DECLARE
  v_function regprocedure;
BEGIN
  -- PUBLIC may execute every new function. A login could make a trigger function with the rights of the owner the
  -- trigger of a table of its own. Column types of that table can call code of the login, which would run as the owner.
  FOR v_function IN
    SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND (p.prosecdef OR p.prorettype = 'trigger'::regtype
        OR p.proname IN ('add_ledger_partitions', 'keep_ledger_months'))
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
      AND pg_has_role(p.proowner, 'MEMBER')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', v_function);
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'eeg_service') THEN
    BEGIN
      CREATE ROLE eeg_service NOLOGIN;
    EXCEPTION
      WHEN duplicate_object OR unique_violation THEN NULL;
      WHEN insufficient_privilege THEN RAISE NOTICE 'no right to create role eeg_service; triggers alone protect the ledger';
    END;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'eeg_service') THEN
    BEGIN
      EXECUTE format('GRANT eeg_service TO %I', current_user);
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
    GRANT USAGE ON SCHEMA public TO eeg_service;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO eeg_service;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO eeg_service;
    REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM eeg_service;
    REVOKE UPDATE, DELETE, TRUNCATE ON ledger_transactions, ledger_entries, hosting_waivers, ledger_seals, ledger_closings
      FROM eeg_service;
    -- Only functions of the ledger write these, and only statements on the whole tables reach the partitions.
    REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ledger_once, ledger_months FROM eeg_service;
    EXECUTE (SELECT format('REVOKE ALL ON %s FROM eeg_service', string_agg(inhrelid::regclass::text, ', '))
             FROM pg_inherits WHERE inhparent IN ('ledger_transactions'::regclass, 'ledger_entries'::regclass));
    -- No right to insert `id`: a chosen id could be in a month that has ended.
    REVOKE INSERT ON ledger_transactions FROM eeg_service;
    GRANT INSERT (account_id, kind, model_id, hold_id, period, starts_at, ends_at, windows, note, at, unit_price)
      ON ledger_transactions TO eeg_service;
    REVOKE TRUNCATE ON holds FROM eeg_service;
    REVOKE DELETE, TRUNCATE ON wallets FROM eeg_service;
    -- Enough to lock a wallet; only the ledger's own trigger writes its sums.
    REVOKE INSERT, UPDATE ON wallets FROM eeg_service;
    GRANT INSERT (account_id), UPDATE (account_id) ON wallets TO eeg_service;
    GRANT EXECUTE ON FUNCTION keep_ledger_months(), keep_request_log(timestamptz, integer) TO eeg_service;
  END IF;
END
$$;
