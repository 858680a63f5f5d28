// Commands of web frameworks and migration tools that empty or drop a database: they are words of the
// framework's own, and the same whoever runs them (`rails`, `npx prisma`, `php artisan`, `./manage.py`).

import type { CommandCall } from "../command-call.ts";
import { exactText } from "../field.ts";

const WORDS = [
  // Rails, Rake, Sequelize, Knex, Adonis, Laravel
  String.raw`db:(?:drop|reset|purge|wipe|truncate_all|migrate:(?:reset|undo:all)|schema:load|setup:reset|seed:replant)(?:[:_]\S*)?`,
  String.raw`migrate:(?:fresh|reset|refresh|rollback:all)`,
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
  String.raw`flyway clean|liquibase (?:drop-?all|dropAll)|goose reset|dbmate (?:drop|down)|sqlx database (?:drop|reset)|diesel (?:database|migration) (?:reset|redo -a)`,
];
const RESETS = new RegExp(`(?:^| )(?:${WORDS.join("|")})(?: |$)`, "i");

export function judgeDatabaseReset({ name, args, effects }: CommandCall): void {
  const texts = args.map((field) => exactText(field) ?? "?");
  const words = texts.filter((text) => !text.startsWith("-"));
  const forms = [
    [name, ...words],
    [name, ...texts],
  ].map((each) => each.join(" "));
  if (forms.some((form) => RESETS.test(form)))
    effects.critical.push("deletes what is in a database");
}
