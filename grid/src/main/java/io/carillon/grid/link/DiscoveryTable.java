package io.carillon.grid.link;

import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jgroups.protocols.JDBC_PING2;

/**
 * The table in which nodes find each other, and its database. Public, as JGroups makes it by name:
 * it asks for the database while the channel is made, on that thread.
 */
public final class DiscoveryTable implements Function<JDBC_PING2, DataSource> {
    private static final ScopedValue<DataSource> SOURCE = ScopedValue.newInstance();

    static final Map<String, String> ATTRIBUTES =
            Map.of(
                    "datasource_injecter_class",
                    DiscoveryTable.class.getName(),
                    "initialize_sql",
                    "CREATE TABLE IF NOT EXISTS carillon_nodes (address varchar(200) NOT NULL,"
                            + " name varchar(200), cluster varchar(200) NOT NULL,"
                            + " ip varchar(200) NOT NULL, coord boolean, PRIMARY KEY (address))",
                    "insert_single_sql",
                    "INSERT INTO carillon_nodes values (?, ?, ?, ?, ?)",
                    "delete_single_sql",
                    "DELETE FROM carillon_nodes WHERE address=?",
                    "clear_sql",
                    "DELETE FROM carillon_nodes WHERE cluster=?",
                    "select_all_pingdata_sql",
                    "SELECT address, name, ip, coord FROM carillon_nodes WHERE cluster=?",
                    "remove_all_data_on_view_change",
                    "true");

    /** Makes something that asks for the database meanwhile. */
    static <T> T with(DataSource source, ScopedValue.CallableOp<T, Exception> making)
            throws Exception {
        return ScopedValue.where(SOURCE, source).call(making);
    }

    @Override
    public DataSource apply(JDBC_PING2 asking) {
        return SOURCE.get();
    }
}
