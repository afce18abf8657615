package io.carillon.server.data;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;

/** Our tables and their versions. Stateless; blocks. */
final class Tables {
    /** Flyway's table, which says what was done. */
    static final String SCHEMA = "carillon_schema";

    private static final String FOLDER = "classpath:db/carillon";

    private Tables() {}

    /**
     * Makes them, or brings them to the version of this build.
     *
     * @return their version
     * @throws SQLException where a newer build has brought them to a version that this one does not
     *     know
     */
    static String bringUpToDate(DataSource database) throws SQLException {
        Flyway flyway =
                Flyway.configure(Tables.class.getClassLoader())
                        .dataSource(database)
                        .locations(FOLDER)
                        .table(SCHEMA)
                        .baselineOnMigrate(true)
                        .baselineVersion("0")
                        .load();
        MigrationInfo[] all = flyway.info().all();
        MigrationVersion known = newest(all, true);
        MigrationVersion there = newest(all, false);
        if (there.compareTo(known) > 0) {
            throw new SQLException(
                    "its tables have version "
                            + there
                            + ", as a newer Carillon made them, and this one knows them up to "
                            + known
                            + "; start the newer one again, or restore a backup of before"
                            + " (docs/guides/upgrading.md)");
        }
        flyway.migrate();
        return known.toString();
    }

    private static MigrationVersion newest(MigrationInfo[] all, boolean ours) {
        return Arrays.stream(all)
                .filter(one -> ours ? one.getState().isResolved() : one.getState().isApplied())
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY);
    }
}
