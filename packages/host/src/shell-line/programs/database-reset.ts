// Commands of web frameworks and migration tools that empty or drop a database: they are words of the
// framework's own, and the same whoever runs them (`rails`, `npx prisma`, `php artisan`, `./manage.py`).

import type { CommandCall } from "../command-call.ts";
import { exactText, type Field } from "../field.ts";

const WORDS = [
  // Rails, Rake, Sequelize, Knex, Adonis, Laravel
  String.raw`db:(?:drop|reset|purge|wipe|truncate_all|migrate:(?:reset|undo:all)|schema:load|setup:reset|seed:replant)(?:[:_]\S*)?`,
  String.raw`migrate:(?:fresh|reset|refresh|rollback:all|rollback\b.* --all)`,
  String.raw`sql[:-](?:drop|reset)|site:(?:reset|empty)|migrate apply\b.* --down`,
  String.raw`migration:(?:fresh|reset|drop)|schema:drop|schema:fresh|database:(?:drop|reset)`,
  // Prisma, Drizzle, Supabase, Hasura
  String.raw`(?:migrate|db|database) (?:reset|drop|wipe|flush)`,
  String.raw`db push\b.* --(?:force-reset|accept-data-loss)`,
  // Django, Flask, Alembic
  String.raw`(?:\S*manage\.py |django-admin )(?:flush|reset_db|sqlflush|migrate \S+ zero)`,
  String.raw`(?:db )?downgrade base`,
  // Doctrine, Symfony, Ecto, Flyway, Liquibase
  String.raw`doctrine:(?:schema|database|mongodb:schema):drop|doctrine:fixtures:load`,
  String.raw`ecto\.(?:drop|reset)`,
  String.raw`flyway clean|schema clean|metadata (?:clear|clean)|db clean|liquibase (?:drop-?all|dropAll)|goose reset|dbmate (?:drop|down)|sqlx database (?:drop|reset)|diesel (?:database|migration) (?:reset|redo -a)`,
];
const RESETS = new RegExp(`(?:^| )(?:${WORDS.join("|")})(?: |$)`, "i");

/** Statements, and what object mappers call the same, in whatever argument they stand. */
const STATEMENT =
  /\b(?:drop|truncate)\s+(?:table|database|schema|keyspace|collection)\b|\bdelete\s+from\s+\w+|\.(?:delete_all|destroy_all|truncate_tables|deleteMany|dropDatabase|objects\.all\(\)\.delete)\b/i;
/** Before them stands prose. */
const PROSE =
  /^(?:-m|-b|-t|--(?:message|body|title|notes|description|subject|comment|name|grep|filter|pattern))$/;

/** The database of the tests is made to be emptied. */
function isOfTests(texts: readonly string[], environment: ReadonlyMap<string, Field>): boolean {
  const names = ["RAILS_ENV", "RACK_ENV", "MIX_ENV", "APP_ENV", "NODE_ENV"];
  const isNamed = names.some((name) => /^test(?:ing)?$/.test(environment.get(name)?.text ?? ""));
  return isNamed || texts.some((text) => /^(?:--env=test(?:ing)?|RAILS_ENV=test)$/.test(text));
}

export function judgeDatabaseReset({ name, args, effects, input, environment }: CommandCall): void {
  const isStatement = [...args, { text: input.text }].some(
    ({ text = "" }, index) =>
      (/\s/.test(text) || text.includes(".")) &&
      STATEMENT.test(text) &&
      !/sqlite|duckdb/i.test(text) &&
      !PROSE.test(args[index - 1]?.text ?? ""),
  );
  // Databases in files of the project are the work.
  if (isStatement && !/^(?:sqlite3?|duckdb|litecli)$/.test(name))
    effects.critical.push("deletes or overwrites what is in a database");
  const texts = args.map((field) => exactText(field) ?? "?");
  const words = texts.filter((text) => !text.startsWith("-"));
  const forms = [
    [name, ...words],
    [name, ...texts],
  ].map((each) => each.join(" "));
  if (forms.some((form) => RESETS.test(form)) && !isOfTests(texts, environment))
    effects.critical.push("deletes what is in a database");
}
