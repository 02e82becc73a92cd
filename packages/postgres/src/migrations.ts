/**
 * The steps that make the tables, the first of an empty schema. `$schema` stands for its name. A step that was published
 * is never changed: the next one changes what it made.
 */
export const migrations: readonly string[] = [
  `
-- The processes that use the store. A lease is measured by the clock of the engine alone.
create table $schema.node (
  id text collate "C" primary key,
  name text not null,
  started_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create table $schema.session (
  key bigint generated always as identity primary key,
  id text collate "C" not null unique,
  work_dir text,
  title text,
  -- The process that has it; the number of its taking, and of the last commit of that taking.
  owner text collate "C",
  generation integer not null default 0,
  nth integer not null default 0,
  -- Lines of the journal, and of the model's conversation.
  lines integer not null default 0,
  messages integer not null default 0,
  -- Milliseconds since 1970: a whole number, so that pages have no gaps.
  active_ms bigint not null default floor(extract(epoch from clock_timestamp()) * 1000),
  -- What is open, as JSON text: jsonb takes no \\u0000.
  open text
) with (fillfactor = 70);
create index session_active on $schema.session (active_ms desc, id) where lines > 0;
create index session_work_dir on $schema.session (work_dir, active_ms desc, id) where lines > 0;
create index session_open on $schema.session (active_ms desc, id) where open is not null;
create index session_owner on $schema.session (owner) where owner is not null;

-- The journal: its lines byte for byte, numbered from 0.
create table $schema.line (
  session bigint not null,
  number integer not null,
  generation integer not null,
  at timestamptz not null default now(),
  text text not null,
  primary key (session, number)
);
-- One settlement of a question or an approval, whatever the code does.
create unique index one_settlement on $schema.line (session, substring(left(text, 400) from '"request_id":"([^"]+)"'))
  where left(text, 400) ~ '^\\{"timestamp": [0-9.]+, "message": \\{"type": "InteractionSettled", "payload": \\{"request_id":"[^"]+","kind":"(question|approval)"';

create table $schema.history (
  session bigint not null,
  number integer not null,
  text text not null,
  primary key (session, number)
);

-- Takes a session for a process, or says who has it. The process itself knows what it has, and takes again what it had
-- been given by a reply that was lost.
create function $schema.take(p_id text, p_work_dir text, p_owner text)
returns table (o_key bigint, o_generation integer, o_lines integer, o_messages integer, o_holder text)
language plpgsql as $$
declare
  s $schema.session%rowtype;
  n $schema.node%rowtype;
begin
  -- A taking that is lost would let two processes have one number.
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  loop
    select * into s from $schema.session where id = p_id for update;
    exit when found;
    insert into $schema.session (id, work_dir) values (p_id, p_work_dir) on conflict (id) do nothing;
  end loop;
  if s.owner <> p_owner then
    -- Locked, so that it is not renewed between this look and the end of the transaction.
    select * into n from $schema.node where id = s.owner for share;
    if n.expires_at > clock_timestamp() then
      return query select s.key, s.generation, s.lines, s.messages, n.name;
      return;
    end if;
  end if;
  update $schema.session set owner = p_owner, generation = s.generation + 1, nth = 0,
    work_dir = case when s.lines = 0 then p_work_dir else s.work_dir end
  where key = s.key;
  return query select s.key, s.generation + 1, s.lines, s.messages, null::text;
end $$;

-- Keeps commits of several sessions in one transaction, and says of each what came of it.
create function $schema.keep(
  p_owner text, p_awaited boolean, p_keys bigint[], p_generations integer[], p_nths integer[],
  p_lines integer[], p_messages integer[], p_replaces boolean[], p_changes_open boolean[], p_open text[],
  p_titles text[], p_line_of integer[], p_line text[], p_message_of integer[], p_message text[]
) returns text[] language plpgsql as $$
declare
  results text[] := '{}';
  -- The numbers of the first lines and messages, less those that stand before them in the arrays; null for none.
  first_lines integer[] := '{}';
  first_messages integer[] := '{}';
  lines_before integer := 0;
  messages_before integer := 0;
  s $schema.session%rowtype;
begin
  if not p_awaited then
    perform set_config('synchronous_commit', 'off', true);
  elsif current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  for i in 1 .. cardinality(p_keys) loop
    update $schema.session set
      nth = p_nths[i],
      lines = lines + p_lines[i],
      messages = case when p_replaces[i] then 0 else messages end + p_messages[i],
      open = case when p_changes_open[i] then p_open[i] else open end,
      title = coalesce(title, p_titles[i]),
      active_ms = floor(extract(epoch from clock_timestamp()) * 1000)
    where key = p_keys[i] and owner = p_owner and generation = p_generations[i] and nth = p_nths[i] - 1
    returning * into s;
    if found then
      if p_replaces[i] then delete from $schema.history where session = p_keys[i]; end if;
      results := results || 'kept'::text;
      first_lines := first_lines || (s.lines - p_lines[i] - lines_before);
      first_messages := first_messages || (s.messages - p_messages[i] - messages_before);
    else
      -- A commit that is there is acknowledged by a transaction that writes, so that it waits for the standby too.
      update $schema.session set nth = nth where key = p_keys[i] returning * into s;
      results := results || case
        when s.owner is distinct from p_owner or s.generation <> p_generations[i] then 'fenced'
        when s.nth >= p_nths[i] then 'kept'
        else 'gap' end;
      first_lines := first_lines || null::integer;
      first_messages := first_messages || null::integer;
    end if;
    lines_before := lines_before + p_lines[i];
    messages_before := messages_before + p_messages[i];
  end loop;
  if cardinality(p_line) > 0 then
    insert into $schema.line (session, number, generation, text)
    select p_keys[place], first_lines[place] + n - 1, p_generations[place], line
    from unnest(p_line_of, p_line) with ordinality as given(place, line, n) where first_lines[place] is not null;
  end if;
  if cardinality(p_message) > 0 then
    insert into $schema.history (session, number, text)
    select p_keys[place], first_messages[place] + n - 1, message
    from unnest(p_message_of, p_message) with ordinality as given(place, message, n)
    where first_messages[place] is not null;
  end if;
  return results;
end $$;

-- Makes the lease of a process longer, and says if it was over.
create function $schema.renew(p_id text, p_name text, p_lease_ms integer) returns boolean language plpgsql as $$
declare
  was_over boolean;
begin
  perform set_config('synchronous_commit', 'off', true);
  select expires_at <= clock_timestamp() into was_over from $schema.node where id = p_id for update;
  insert into $schema.node (id, name, expires_at)
  values (p_id, p_name, clock_timestamp() + p_lease_ms * interval '1 millisecond')
  on conflict (id) do update set expires_at = excluded.expires_at;
  return coalesce(was_over, true);
end $$;

-- Gives a session back; one in which nothing was kept leaves no row.
create function $schema.release(p_key bigint, p_generation integer) returns void language sql as $$
  delete from $schema.session where key = p_key and generation = p_generation and lines = 0;
  update $schema.session set owner = null where key = p_key and generation = p_generation;
$$;

-- Gives back all that a process has.
create function $schema.leave(p_id text) returns void language sql as $$
  delete from $schema.session where owner = p_id and lines = 0;
  update $schema.session set owner = null where owner = p_id;
  delete from $schema.node where id = p_id;
$$;

-- Forgets processes that ended long ago, and what they had taken and not used.
create function $schema.sweep() returns void language sql as $$
  delete from $schema.node where expires_at < clock_timestamp() - interval '1 hour';
  delete from $schema.session s where owner is not null and lines = 0
    and not exists (select from $schema.node n where n.id = s.owner);
$$;

-- Removes all that is kept of a session, or says who has it.
create function $schema.remove(p_id text) returns text language plpgsql as $$
declare
  s $schema.session%rowtype;
  n $schema.node%rowtype;
begin
  select * into s from $schema.session where id = p_id for update;
  if not found then return null; end if;
  select * into n from $schema.node where id = s.owner for share;
  if n.expires_at > clock_timestamp() then return n.name; end if;
  delete from $schema.line where session = s.key;
  delete from $schema.history where session = s.key;
  delete from $schema.session where key = s.key;
  return null;
end $$;
`,
  `
-- What was asked, and what came of it. Rows are only added, and outlive their session.
create table $schema.audit (
  number bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  session_id text collate "C" not null,
  title text,
  work_dir text,
  what text not null,
  kind text not null,
  request_id text,
  tool_call_id text,
  asked text,
  digest text,
  status text,
  reason text,
  decided_by text,
  rule text,
  answer text,
  note text,
  who_id text,
  who text,
  via text,
  device text,
  client text,
  answer_id text,
  -- The line that it was made of: a commit that is tried again adds nothing.
  session bigint not null,
  generation integer not null,
  nth integer not null,
  place integer not null,
  unique (session, generation, nth, place)
);
create index audit_at on $schema.audit (at);
create index audit_request on $schema.audit (request_id);

-- Each decision with what was asked.
create view $schema.decision as
select outcome.number, outcome.at, asked.at as asked_at, outcome.session_id, outcome.title, outcome.work_dir, outcome.kind,
  outcome.request_id, coalesce(outcome.tool_call_id, asked.tool_call_id) as tool_call_id,
  coalesce(outcome.asked, asked.asked) as asked, coalesce(outcome.digest, asked.digest) as digest,
  outcome.status, outcome.reason, outcome.decided_by, outcome.rule, outcome.answer, outcome.note,
  outcome.who_id, outcome.who, outcome.via, outcome.device, outcome.client, outcome.answer_id
from $schema.audit outcome
left join $schema.audit asked
  on asked.what = 'asked' and asked.request_id = outcome.request_id and asked.session = outcome.session
where outcome.what <> 'asked';

-- Keeps commits as keep does, with the rows that their lines make, as JSON.
create function $schema.keep_audited(
  p_owner text, p_awaited boolean, p_keys bigint[], p_generations integer[], p_nths integer[],
  p_lines integer[], p_messages integer[], p_replaces boolean[], p_changes_open boolean[], p_open text[],
  p_titles text[], p_line_of integer[], p_line text[], p_message_of integer[], p_message text[], p_audit text
) returns text[] language plpgsql as $$
declare
  results text[];
begin
  results := $schema.keep(p_owner, p_awaited, p_keys, p_generations, p_nths, p_lines, p_messages, p_replaces,
    p_changes_open, p_open, p_titles, p_line_of, p_line, p_message_of, p_message);
  insert into $schema.audit (
    session_id, title, work_dir, what, kind, request_id, tool_call_id, asked, digest, status, reason, decided_by, rule,
    answer, note, who_id, who, via, device, client, answer_id, session, generation, nth, place
  )
  select s.id, s.title, s.work_dir, f.what, f.kind, f.request_id, f.tool_call_id, f.asked, f.digest, f.status, f.reason,
    f.decided_by, f.rule, f.answer, f.note, f.who_id, f.who, f.via, f.device, f.client, f.answer_id,
    s.key, p_generations[f.commit], p_nths[f.commit], f.place
  from json_to_recordset(p_audit::json) as f(
    commit integer, place integer, what text, kind text, request_id text, tool_call_id text, asked text, digest text,
    status text, reason text, decided_by text, rule text, answer text, note text, who_id text, who text, via text,
    device text, client text, answer_id text
  )
  join $schema.session s on s.key = p_keys[f.commit]
  where results[f.commit] = 'kept'
  order by f.commit, f.place
  on conflict (session, generation, nth, place) do nothing;
  return results;
end $$;
`,
  `
-- The last move of a session, and the words that say where it is. The row of one that is elsewhere stays, without lines,
-- so that its numbers go on.
alter table $schema.session add column move text, add column moved_to text;

-- As before, and says where a session is that was moved: without a key.
create or replace function $schema.take(p_id text, p_work_dir text, p_owner text)
returns table (o_key bigint, o_generation integer, o_lines integer, o_messages integer, o_holder text)
language plpgsql as $$
declare
  s $schema.session%rowtype;
  n $schema.node%rowtype;
begin
  -- A taking that is lost would let two processes have one number.
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  loop
    select * into s from $schema.session where id = p_id for update;
    exit when found;
    insert into $schema.session (id, work_dir) values (p_id, p_work_dir) on conflict (id) do nothing;
  end loop;
  if s.moved_to is not null then
    return query select null::bigint, s.generation, 0, 0, s.moved_to;
    return;
  end if;
  if s.owner <> p_owner then
    -- Locked, so that it is not renewed between this look and the end of the transaction.
    select * into n from $schema.node where id = s.owner for share;
    if n.expires_at > clock_timestamp() then
      return query select s.key, s.generation, s.lines, s.messages, n.name;
      return;
    end if;
  end if;
  update $schema.session set owner = p_owner, generation = s.generation + 1, nth = 0,
    work_dir = case when s.lines = 0 then p_work_dir else s.work_dir end
  where key = s.key;
  return query select s.key, s.generation + 1, s.lines, s.messages, null::text;
end $$;

-- Begins to keep a whole session, whose lines follow in the same transaction: a new one; or says that this move is
-- made already, or that there is another session of the id.
create function $schema.bring(
  p_id text, p_move text, p_after text, p_work_dir text, p_title text, p_active_ms bigint, p_generation integer,
  p_open text
) returns table (o_key bigint, o_generation integer, o_state text) language plpgsql as $$
declare
  s $schema.session%rowtype;
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  loop
    select * into s from $schema.session where id = p_id for update;
    exit when found;
    insert into $schema.session (id, move, moved_to) values (p_id, p_after, '') on conflict (id) do nothing;
  end loop;
  if s.moved_to is null and s.move = p_move then
    -- Written, so that the reply waits for the standby too.
    update $schema.session set move = p_move where key = s.key;
    return query select s.key, s.generation, 'there'::text;
  elsif s.moved_to is null or s.move is distinct from p_after then
    return query select s.key, s.generation, 'taken'::text;
  else
    update $schema.session set work_dir = p_work_dir, title = p_title, open = p_open, active_ms = p_active_ms,
      generation = greatest(s.generation, p_generation), owner = null, nth = 0, move = p_move, moved_to = null
    where key = s.key;
    return query select s.key, greatest(s.generation, p_generation), 'new'::text;
  end if;
end $$;

-- Gives away a session that a process has: all of it is removed but its row. Says if it was that process's.
create function $schema.give_away(p_key bigint, p_owner text, p_generation integer, p_move text, p_moved_to text)
returns boolean language plpgsql as $$
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  -- Another generation, so that a release of the taking before it changes nothing.
  update $schema.session set move = p_move, moved_to = p_moved_to, generation = generation + 1, owner = null, nth = 0,
    lines = 0, messages = 0, title = null, open = null
  where key = p_key and owner = p_owner and generation = p_generation;
  if not found then return false; end if;
  delete from $schema.line where session = p_key;
  delete from $schema.history where session = p_key;
  return true;
end $$;
`,
  `
-- A decision with all that was shown and said, so that it is told as one on a disk is; and the digest of removed words.
alter table $schema.audit add column program text, add column request text, add column response text,
  add column connection text, add column forgotten text;
create index audit_session on $schema.audit (session_id);

-- As before, with these columns. A request that was asked in two lives of its session is there once.
create or replace view $schema.decision as
select outcome.number, outcome.at, asked.at as asked_at, outcome.session_id, outcome.title, outcome.work_dir, outcome.kind,
  outcome.request_id, coalesce(outcome.tool_call_id, asked.tool_call_id) as tool_call_id,
  coalesce(outcome.asked, asked.asked) as asked, coalesce(outcome.digest, asked.digest) as digest,
  outcome.status, outcome.reason, outcome.decided_by, outcome.rule, outcome.answer, outcome.note,
  outcome.who_id, outcome.who, outcome.via, outcome.device, outcome.client, outcome.answer_id,
  asked.program, coalesce(outcome.request, asked.request) as request, outcome.response, outcome.connection, outcome.forgotten
from $schema.audit outcome
left join lateral (
  select * from $schema.audit a
  where a.what = 'asked' and a.request_id = outcome.request_id and a.session_id = outcome.session_id
  order by a.number limit 1
) asked on true
where outcome.what <> 'asked';

-- Each request that is open in a session of the store.
create view $schema.open_request as
select asked.number, asked.at, asked.session_id, asked.title, asked.work_dir, asked.kind, asked.request_id,
  asked.tool_call_id, asked.program, asked.asked, asked.digest, asked.request
from $schema.audit asked
join $schema.session s on s.key = asked.session
where asked.what = 'asked' and s.open is not null and s.moved_to is null
  and not exists (
    select from $schema.audit a
    where a.what = 'settled' and a.request_id = asked.request_id and a.session_id = asked.session_id
  );

-- As before, with these columns.
create or replace function $schema.keep_audited(
  p_owner text, p_awaited boolean, p_keys bigint[], p_generations integer[], p_nths integer[],
  p_lines integer[], p_messages integer[], p_replaces boolean[], p_changes_open boolean[], p_open text[],
  p_titles text[], p_line_of integer[], p_line text[], p_message_of integer[], p_message text[], p_audit text
) returns text[] language plpgsql as $$
declare
  results text[];
begin
  results := $schema.keep(p_owner, p_awaited, p_keys, p_generations, p_nths, p_lines, p_messages, p_replaces,
    p_changes_open, p_open, p_titles, p_line_of, p_line, p_message_of, p_message);
  insert into $schema.audit (
    session_id, title, work_dir, what, kind, request_id, tool_call_id, program, asked, digest,
    request, status, reason, decided_by, rule, answer, response, note, who_id, who, via, device, client, connection, answer_id, forgotten, session, generation, nth, place
  )
  select s.id, s.title, s.work_dir, f.what, f.kind, f.request_id, f.tool_call_id, f.program, f.asked, f.digest,
    f.request, f.status, f.reason, f.decided_by, f.rule, f.answer, f.response, f.note, f.who_id, f.who, f.via, f.device, f.client,
    f.connection, f.answer_id, f.forgotten,
    s.key, p_generations[f.commit], p_nths[f.commit], f.place
  from json_to_recordset(p_audit::json) as f(
    commit integer, place integer, what text, kind text, request_id text, tool_call_id text, program text, asked text, digest text,
    request text, status text, reason text, decided_by text, rule text, answer text, response text, note text, who_id text,
    who text, via text, device text, client text, connection text, answer_id text, forgotten text
  )
  join $schema.session s on s.key = p_keys[f.commit]
  where results[f.commit] = 'kept'
  order by f.commit, f.place
  on conflict (session, generation, nth, place) do nothing;
  return results;
end $$;

-- Adds the decisions of a session that is being brought, of the time that its lines say. No taking has the generation 0.
create function $schema.bring_audit(p_key bigint, p_place integer, p_audit text) returns void language sql as $$
  insert into $schema.audit (
    at, session_id, title, work_dir, what, kind, request_id, tool_call_id, program, asked, digest,
    request, status, reason, decided_by, rule, answer, response, note, who_id, who, via, device, client, connection, answer_id, forgotten, session, generation, nth, place
  )
  select coalesce(to_timestamp(f.at), clock_timestamp()), s.id, s.title, s.work_dir, f.what, f.kind, f.request_id, f.tool_call_id, f.program, f.asked, f.digest,
    f.request, f.status, f.reason, f.decided_by, f.rule, f.answer, f.response, f.note, f.who_id, f.who, f.via, f.device, f.client,
    f.connection, f.answer_id, f.forgotten, s.key, 0, f.line, p_place
  from json_to_recordset(p_audit::json) as f(
    at double precision, line integer, what text, kind text, request_id text, tool_call_id text, program text, asked text, digest text,
    request text, status text, reason text, decided_by text, rule text, answer text, response text, note text, who_id text,
    who text, via text, device text, client text, connection text, answer_id text, forgotten text
  ), $schema.session s
  where s.key = p_key
  order by f.line;
$$;

-- Removes rows of before a time, as the owner: the oldest first, a bounded number of them. What is open stays, and what
-- was asked stays as long as what came of it. Gives the number of rows.
create function $schema.prune_audit(p_before timestamptz, p_most integer) returns bigint language sql as $$
  with old as (
    select a.number from $schema.audit a
    where a.at < p_before and not (a.what = 'asked' and (
      exists (
        select from $schema.audit later where later.what = 'settled' and later.request_id = a.request_id
          and later.session_id = a.session_id and later.at >= p_before
      ) or exists (select from $schema.open_request o where o.number = a.number)
    ))
    order by a.at, a.number limit p_most
  ), gone as (
    delete from $schema.audit a using old where a.number = old.number returning 1
  ) select count(*) from gone;
$$;

-- Removes the name and the words of one person, as the owner, by id or name, of a bounded number of rows; their digests
-- stay. Gives the number of rows.
create function $schema.forget(p_who text, p_most integer) returns bigint language sql as $$
  with theirs as (
    -- Another removal at the same time is waited for, and its rows are looked at again.
    select number from $schema.audit where who_id = p_who or who = p_who order by number limit p_most for update
  ), changed as (
    update $schema.audit a set
      who_id = null, who = null, device = null, client = null, connection = null,
      answer = 'sha256:' || encode(sha256(convert_to(a.answer, 'UTF8')), 'hex'),
      note = 'sha256:' || encode(sha256(convert_to(a.note, 'UTF8')), 'hex'),
      -- That an approval was given or not is no word of a person.
      response = case when a.kind = 'approval'
        then '{' || substring(a.response from '"response":"(?:approve|approve_for_session|reject)"') || '}' end,
      forgotten = 'sha256:' || encode(sha256(convert_to(json_build_array(
        a.who_id, a.who, a.device, a.client, a.connection, a.answer, a.note, a.response)::text, 'UTF8')), 'hex')
    from theirs where a.number = theirs.number and (a.who_id = p_who or a.who = p_who) returning 1
  ) select count(*) from changed;
$$;

-- Waits until no other transaction moves a session, and keeps others waiting to the end of this one: also for one whose
-- process was killed while the engine still works at its commit.
create function $schema.lock_move(p_id text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('$schema move'), hashtext(p_id));
$$;

-- As before, and waits for a move of the session whose transaction is still under way: a new one; or says that this move is
-- made already, or that there is another session of the id.
create or replace function $schema.bring(
  p_id text, p_move text, p_after text, p_work_dir text, p_title text, p_active_ms bigint, p_generation integer,
  p_open text
) returns table (o_key bigint, o_generation integer, o_state text) language plpgsql as $$
declare
  s $schema.session%rowtype;
begin
  perform $schema.lock_move(p_id);
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  loop
    select * into s from $schema.session where id = p_id for update;
    exit when found;
    insert into $schema.session (id, move, moved_to) values (p_id, p_after, '') on conflict (id) do nothing;
  end loop;
  if s.moved_to is null and s.move = p_move then
    -- Written, so that the reply waits for the standby too.
    update $schema.session set move = p_move where key = s.key;
    return query select s.key, s.generation, 'there'::text;
  elsif s.moved_to is null or s.move is distinct from p_after then
    return query select s.key, s.generation, 'taken'::text;
  else
    update $schema.session set work_dir = p_work_dir, title = p_title, open = p_open, active_ms = p_active_ms,
      generation = greatest(s.generation, p_generation), owner = null, nth = 0, move = p_move, moved_to = null
    where key = s.key;
    return query select s.key, greatest(s.generation, p_generation), 'new'::text;
  end if;
end $$;

-- The last move of a session, once no transaction moves it.
create function $schema.move_of(p_id text) returns table (o_move text, o_moved_to text) language plpgsql as $$
begin
  perform $schema.lock_move(p_id);
  -- A row that somebody gives away is waited for too.
  perform from $schema.session where id = p_id for update;
  return query select move, moved_to from $schema.session where id = p_id and move is not null;
end $$;
`,
  `
-- The address at which other processes reach this one; null where they cannot.
alter table $schema.node add column address text;

-- Says at which address the session is that another process has: none where nobody has it, or nobody can be reached.
create function $schema.owner_of(p_id text, p_asking text) returns text language sql stable as $$
  select n.address from $schema.session s join $schema.node n on n.id = s.owner
  where s.id = p_id and n.id <> p_asking and n.expires_at > clock_timestamp();
$$;
`,
  `
-- The tenant of each row: empty for none. The earlier version writes rows of none, and sees these alone by the functions.
alter table $schema.session add column tenant text collate "C" not null default '';
alter table $schema.line add column tenant text collate "C" not null default '';
alter table $schema.history add column tenant text collate "C" not null default '';
alter table $schema.audit add column tenant text collate "C" not null default '';
alter table $schema.session drop constraint session_id_key, add unique (tenant, id);
drop index $schema.session_active, $schema.session_work_dir, $schema.session_open;
create index session_active on $schema.session (tenant, active_ms desc, id) where lines > 0;
create index session_work_dir on $schema.session (tenant, work_dir, active_ms desc, id) where lines > 0;
create index session_open on $schema.session (tenant, active_ms desc, id) where open is not null;

-- The second wall: a statement finds and writes the rows of the tenant that its connection is set to. It stands from
-- wall_tenants() on. A later step that changes rows of all tenants lowers it first: "alter table … no force row level security".
create policy one_tenant on $schema.session using (tenant = coalesce(current_setting('askwire.tenant', true), ''));
create policy one_tenant on $schema.line using (tenant = coalesce(current_setting('askwire.tenant', true), ''));
create policy one_tenant on $schema.history using (tenant = coalesce(current_setting('askwire.tenant', true), ''));
create policy one_tenant on $schema.audit using (tenant = coalesce(current_setting('askwire.tenant', true), ''));

-- True once the second wall stands, for the owner of the tables too.
create function $schema.is_walled() returns boolean language sql stable as $$
  select bool_and(relrowsecurity and relforcerowsecurity) from pg_catalog.pg_class
  where oid in ('$schema.session'::regclass, '$schema.line'::regclass, '$schema.history'::regclass, '$schema.audit'::regclass);
$$;

-- Raises the second wall, as the owner of the tables.
create function $schema.wall_tenants() returns void language plpgsql as $$
begin
  alter table $schema.session enable row level security, force row level security;
  alter table $schema.line enable row level security, force row level security;
  alter table $schema.history enable row level security, force row level security;
  alter table $schema.audit enable row level security, force row level security;
end $$;

-- All as before, each for one tenant: for none where the earlier version says none.
create or replace view $schema.decision as
select outcome.number, outcome.at, asked.at as asked_at, outcome.session_id, outcome.title, outcome.work_dir, outcome.kind,
  outcome.request_id, coalesce(outcome.tool_call_id, asked.tool_call_id) as tool_call_id,
  coalesce(outcome.asked, asked.asked) as asked, coalesce(outcome.digest, asked.digest) as digest,
  outcome.status, outcome.reason, outcome.decided_by, outcome.rule, outcome.answer, outcome.note,
  outcome.who_id, outcome.who, outcome.via, outcome.device, outcome.client, outcome.answer_id,
  asked.program, coalesce(outcome.request, asked.request) as request, outcome.response, outcome.connection, outcome.forgotten,
  outcome.tenant
from $schema.audit outcome
left join lateral (
  select * from $schema.audit a
  where a.what = 'asked' and a.request_id = outcome.request_id and a.session_id = outcome.session_id
    and a.tenant = outcome.tenant
  order by a.number limit 1
) asked on true
where outcome.what <> 'asked';

create or replace view $schema.open_request as
select asked.number, asked.at, asked.session_id, asked.title, asked.work_dir, asked.kind, asked.request_id,
  asked.tool_call_id, asked.program, asked.asked, asked.digest, asked.request, asked.tenant
from $schema.audit asked
join $schema.session s on s.key = asked.session and s.tenant = asked.tenant
where asked.what = 'asked' and s.open is not null and s.moved_to is null
  and not exists (
    select from $schema.audit a
    where a.what = 'settled' and a.request_id = asked.request_id and a.session_id = asked.session_id
      and a.tenant = asked.tenant
  );

drop function $schema.take(text, text, text);
create function $schema.take(p_id text, p_work_dir text, p_owner text, p_tenant text default '')
returns table (o_key bigint, o_generation integer, o_lines integer, o_messages integer, o_holder text)
language plpgsql as $$
declare
  s $schema.session%rowtype;
  n $schema.node%rowtype;
begin
  -- A taking that is lost would let two processes have one number.
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  loop
    select * into s from $schema.session where tenant = p_tenant and id = p_id for update;
    exit when found;
    insert into $schema.session (tenant, id, work_dir) values (p_tenant, p_id, p_work_dir)
    on conflict (tenant, id) do nothing;
  end loop;
  if s.moved_to is not null then
    return query select null::bigint, s.generation, 0, 0, s.moved_to;
    return;
  end if;
  if s.owner <> p_owner then
    -- Locked, so that it is not renewed between this look and the end of the transaction.
    select * into n from $schema.node where id = s.owner for share;
    if n.expires_at > clock_timestamp() then
      return query select s.key, s.generation, s.lines, s.messages, n.name;
      return;
    end if;
  end if;
  update $schema.session set owner = p_owner, generation = s.generation + 1, nth = 0,
    work_dir = case when s.lines = 0 then p_work_dir else s.work_dir end
  where key = s.key;
  return query select s.key, s.generation + 1, s.lines, s.messages, null::text;
end $$;

drop function $schema.keep(text, boolean, bigint[], integer[], integer[], integer[], integer[], boolean[], boolean[],
  text[], text[], integer[], text[], integer[], text[]);
create function $schema.keep(
  p_owner text, p_awaited boolean, p_keys bigint[], p_generations integer[], p_nths integer[],
  p_lines integer[], p_messages integer[], p_replaces boolean[], p_changes_open boolean[], p_open text[],
  p_titles text[], p_line_of integer[], p_line text[], p_message_of integer[], p_message text[], p_tenant text default ''
) returns text[] language plpgsql as $$
declare
  results text[] := '{}';
  -- The numbers of the first lines and messages, less those that stand before them in the arrays; null for none.
  first_lines integer[] := '{}';
  first_messages integer[] := '{}';
  lines_before integer := 0;
  messages_before integer := 0;
  s $schema.session%rowtype;
begin
  if not p_awaited then
    perform set_config('synchronous_commit', 'off', true);
  elsif current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  for i in 1 .. cardinality(p_keys) loop
    update $schema.session set
      nth = p_nths[i],
      lines = lines + p_lines[i],
      messages = case when p_replaces[i] then 0 else messages end + p_messages[i],
      open = case when p_changes_open[i] then p_open[i] else open end,
      title = coalesce(title, p_titles[i]),
      active_ms = floor(extract(epoch from clock_timestamp()) * 1000)
    where key = p_keys[i] and tenant = p_tenant and owner = p_owner and generation = p_generations[i]
      and nth = p_nths[i] - 1
    returning * into s;
    if found then
      if p_replaces[i] then
        delete from $schema.history where session = p_keys[i] and tenant = p_tenant;
      end if;
      results := results || 'kept'::text;
      first_lines := first_lines || (s.lines - p_lines[i] - lines_before);
      first_messages := first_messages || (s.messages - p_messages[i] - messages_before);
    else
      -- A commit that is there is acknowledged by a transaction that writes, so that it waits for the standby too.
      update $schema.session set nth = nth where key = p_keys[i] and tenant = p_tenant returning * into s;
      results := results || case
        when s.owner is distinct from p_owner or s.generation <> p_generations[i] then 'fenced'
        when s.nth >= p_nths[i] then 'kept'
        else 'gap' end;
      first_lines := first_lines || null::integer;
      first_messages := first_messages || null::integer;
    end if;
    lines_before := lines_before + p_lines[i];
    messages_before := messages_before + p_messages[i];
  end loop;
  if cardinality(p_line) > 0 then
    insert into $schema.line (session, number, generation, text, tenant)
    select p_keys[place], first_lines[place] + n - 1, p_generations[place], line, p_tenant
    from unnest(p_line_of, p_line) with ordinality as given(place, line, n) where first_lines[place] is not null;
  end if;
  if cardinality(p_message) > 0 then
    insert into $schema.history (session, number, text, tenant)
    select p_keys[place], first_messages[place] + n - 1, message, p_tenant
    from unnest(p_message_of, p_message) with ordinality as given(place, message, n)
    where first_messages[place] is not null;
  end if;
  return results;
end $$;

drop function $schema.keep_audited(text, boolean, bigint[], integer[], integer[], integer[], integer[], boolean[],
  boolean[], text[], text[], integer[], text[], integer[], text[], text);
create function $schema.keep_audited(
  p_owner text, p_awaited boolean, p_keys bigint[], p_generations integer[], p_nths integer[],
  p_lines integer[], p_messages integer[], p_replaces boolean[], p_changes_open boolean[], p_open text[],
  p_titles text[], p_line_of integer[], p_line text[], p_message_of integer[], p_message text[], p_audit text,
  p_tenant text default ''
) returns text[] language plpgsql as $$
declare
  results text[];
begin
  results := $schema.keep(p_owner, p_awaited, p_keys, p_generations, p_nths, p_lines, p_messages, p_replaces,
    p_changes_open, p_open, p_titles, p_line_of, p_line, p_message_of, p_message, p_tenant);
  insert into $schema.audit (
    session_id, title, work_dir, what, kind, request_id, tool_call_id, program, asked, digest,
    request, status, reason, decided_by, rule, answer, response, note, who_id, who, via, device, client, connection, answer_id, forgotten, session, generation, nth, place, tenant
  )
  select s.id, s.title, s.work_dir, f.what, f.kind, f.request_id, f.tool_call_id, f.program, f.asked, f.digest,
    f.request, f.status, f.reason, f.decided_by, f.rule, f.answer, f.response, f.note, f.who_id, f.who, f.via, f.device, f.client,
    f.connection, f.answer_id, f.forgotten,
    s.key, p_generations[f.commit], p_nths[f.commit], f.place, p_tenant
  from json_to_recordset(p_audit::json) as f(
    commit integer, place integer, what text, kind text, request_id text, tool_call_id text, program text, asked text, digest text,
    request text, status text, reason text, decided_by text, rule text, answer text, response text, note text, who_id text,
    who text, via text, device text, client text, connection text, answer_id text, forgotten text
  )
  join $schema.session s on s.key = p_keys[f.commit] and s.tenant = p_tenant
  where results[f.commit] = 'kept'
  order by f.commit, f.place
  on conflict (session, generation, nth, place) do nothing;
  return results;
end $$;

drop function $schema.release(bigint, integer);
create function $schema.release(p_key bigint, p_generation integer, p_tenant text default '')
returns void language sql as $$
  delete from $schema.session where key = p_key and tenant = p_tenant and generation = p_generation and lines = 0;
  update $schema.session set owner = null where key = p_key and tenant = p_tenant and generation = p_generation;
$$;

-- Gives back all that a process has of a tenant.
create function $schema.leave_tenant(p_id text, p_tenant text) returns void language sql as $$
  delete from $schema.session where tenant = p_tenant and owner = p_id and lines = 0;
  update $schema.session set owner = null where tenant = p_tenant and owner = p_id;
$$;

create or replace function $schema.leave(p_id text) returns void language sql as $$
  select $schema.leave_tenant(p_id, '');
  delete from $schema.node where id = p_id;
$$;

drop function $schema.sweep();
create function $schema.sweep(p_tenant text default '') returns void language sql as $$
  delete from $schema.node where expires_at < clock_timestamp() - interval '1 hour';
  delete from $schema.session s where tenant = p_tenant and owner is not null and lines = 0
    and not exists (select from $schema.node n where n.id = s.owner);
$$;

drop function $schema.remove(text);
create function $schema.remove(p_id text, p_tenant text default '') returns text language plpgsql as $$
declare
  s $schema.session%rowtype;
  n $schema.node%rowtype;
begin
  select * into s from $schema.session where tenant = p_tenant and id = p_id for update;
  if not found then return null; end if;
  select * into n from $schema.node where id = s.owner for share;
  if n.expires_at > clock_timestamp() then return n.name; end if;
  delete from $schema.line where session = s.key and tenant = p_tenant;
  delete from $schema.history where session = s.key and tenant = p_tenant;
  delete from $schema.session where key = s.key;
  return null;
end $$;

drop function $schema.lock_move(text);
create function $schema.lock_move(p_id text, p_tenant text default '') returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('$schema move'),
    hashtext(case p_tenant when '' then p_id else p_tenant || '/' || p_id end));
$$;

drop function $schema.bring(text, text, text, text, text, bigint, integer, text);
create function $schema.bring(
  p_id text, p_move text, p_after text, p_work_dir text, p_title text, p_active_ms bigint, p_generation integer,
  p_open text, p_tenant text default ''
) returns table (o_key bigint, o_generation integer, o_state text) language plpgsql as $$
declare
  s $schema.session%rowtype;
begin
  perform $schema.lock_move(p_id, p_tenant);
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  loop
    select * into s from $schema.session where tenant = p_tenant and id = p_id for update;
    exit when found;
    insert into $schema.session (tenant, id, move, moved_to) values (p_tenant, p_id, p_after, '')
    on conflict (tenant, id) do nothing;
  end loop;
  if s.moved_to is null and s.move = p_move then
    -- Written, so that the reply waits for the standby too.
    update $schema.session set move = p_move where key = s.key;
    return query select s.key, s.generation, 'there'::text;
  elsif s.moved_to is null or s.move is distinct from p_after then
    return query select s.key, s.generation, 'taken'::text;
  else
    update $schema.session set work_dir = p_work_dir, title = p_title, open = p_open, active_ms = p_active_ms,
      generation = greatest(s.generation, p_generation), owner = null, nth = 0, move = p_move, moved_to = null
    where key = s.key;
    return query select s.key, greatest(s.generation, p_generation), 'new'::text;
  end if;
end $$;

drop function $schema.give_away(bigint, text, integer, text, text);
create function $schema.give_away(
  p_key bigint, p_owner text, p_generation integer, p_move text, p_moved_to text, p_tenant text default ''
) returns boolean language plpgsql as $$
begin
  if current_setting('synchronous_commit') in ('off', 'local') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  -- Another generation, so that a release of the taking before it changes nothing.
  update $schema.session set move = p_move, moved_to = p_moved_to, generation = generation + 1, owner = null, nth = 0,
    lines = 0, messages = 0, title = null, open = null
  where key = p_key and tenant = p_tenant and owner = p_owner and generation = p_generation;
  if not found then return false; end if;
  delete from $schema.line where session = p_key and tenant = p_tenant;
  delete from $schema.history where session = p_key and tenant = p_tenant;
  return true;
end $$;

drop function $schema.bring_audit(bigint, integer, text);
create function $schema.bring_audit(p_key bigint, p_place integer, p_audit text, p_tenant text default '')
returns void language sql as $$
  insert into $schema.audit (
    at, session_id, title, work_dir, what, kind, request_id, tool_call_id, program, asked, digest,
    request, status, reason, decided_by, rule, answer, response, note, who_id, who, via, device, client, connection, answer_id, forgotten, session, generation, nth, place, tenant
  )
  select coalesce(to_timestamp(f.at), clock_timestamp()), s.id, s.title, s.work_dir, f.what, f.kind, f.request_id, f.tool_call_id, f.program, f.asked, f.digest,
    f.request, f.status, f.reason, f.decided_by, f.rule, f.answer, f.response, f.note, f.who_id, f.who, f.via, f.device, f.client,
    f.connection, f.answer_id, f.forgotten, s.key, 0, f.line, p_place, p_tenant
  from json_to_recordset(p_audit::json) as f(
    at double precision, line integer, what text, kind text, request_id text, tool_call_id text, program text, asked text, digest text,
    request text, status text, reason text, decided_by text, rule text, answer text, response text, note text, who_id text,
    who text, via text, device text, client text, connection text, answer_id text, forgotten text
  ), $schema.session s
  where s.key = p_key and s.tenant = p_tenant
  order by f.line;
$$;

drop function $schema.prune_audit(timestamptz, integer);
create function $schema.prune_audit(p_before timestamptz, p_most integer, p_tenant text default '')
returns bigint language sql as $$
  with old as (
    select a.number from $schema.audit a
    where a.tenant = p_tenant and a.at < p_before and not (a.what in ('asked', 'voted') and (
      exists (
        select from $schema.audit later where later.what = 'settled' and later.request_id = a.request_id
          and later.session_id = a.session_id and later.tenant = p_tenant and later.at >= p_before
      ) or exists (select from $schema.open_request o
        where o.request_id = a.request_id and o.session_id = a.session_id and o.tenant = p_tenant)
    ))
    order by a.at, a.number limit p_most
  ), gone as (
    delete from $schema.audit a using old where a.number = old.number and a.tenant = p_tenant returning 1
  ) select count(*) from gone;
$$;

drop function $schema.forget(text, integer);
create function $schema.forget(p_who text, p_most integer, p_tenant text default '') returns bigint language sql as $$
  with theirs as (
    -- Another removal at the same time is waited for, and its rows are looked at again.
    select number from $schema.audit where tenant = p_tenant and (who_id = p_who or who = p_who)
    order by number limit p_most for update
  ), changed as (
    update $schema.audit a set
      who_id = null, who = null, device = null, client = null, connection = null,
      answer = 'sha256:' || encode(sha256(convert_to(a.answer, 'UTF8')), 'hex'),
      note = 'sha256:' || encode(sha256(convert_to(a.note, 'UTF8')), 'hex'),
      -- That an approval was given or not is no word of a person.
      response = case when a.kind = 'approval'
        then '{' || substring(a.response from '"response":"(?:approve|approve_for_session|reject)"') || '}' end,
      forgotten = 'sha256:' || encode(sha256(convert_to(json_build_array(
        a.who_id, a.who, a.device, a.client, a.connection, a.answer, a.note, a.response)::text, 'UTF8')), 'hex')
    from theirs where a.number = theirs.number and a.tenant = p_tenant and (a.who_id = p_who or a.who = p_who)
    returning 1
  ) select count(*) from changed;
$$;

drop function $schema.move_of(text);
create function $schema.move_of(p_id text, p_tenant text default '')
returns table (o_move text, o_moved_to text) language plpgsql as $$
begin
  perform $schema.lock_move(p_id, p_tenant);
  -- A row that somebody gives away is waited for too.
  perform from $schema.session where tenant = p_tenant and id = p_id for update;
  return query select move, moved_to from $schema.session where tenant = p_tenant and id = p_id and move is not null;
end $$;

drop function $schema.owner_of(text, text);
create function $schema.owner_of(p_id text, p_asking text, p_tenant text default '')
returns text language sql stable as $$
  select n.address from $schema.session s join $schema.node n on n.id = s.owner
  where s.tenant = p_tenant and s.id = p_id and n.id <> p_asking and n.expires_at > clock_timestamp();
$$;
`,
];
