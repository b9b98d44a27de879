-- Runs after every migration. The service role may add rows to the ledger, and never change or delete one.
DO $$
BEGIN
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
    REVOKE TRUNCATE ON holds FROM eeg_service;
    REVOKE DELETE, TRUNCATE ON wallets FROM eeg_service;
    -- Enough to lock a wallet; only the ledger's own trigger writes its sums.
    REVOKE INSERT, UPDATE ON wallets FROM eeg_service;
    GRANT INSERT (account_id), UPDATE (account_id) ON wallets TO eeg_service;
  END IF;
END
$$;
