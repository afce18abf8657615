package io.carillon.server.data;

import io.carillon.telemetry.spans.CallTraces;
import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.listener.QueryExecutionListener;
import net.ttddyy.dsproxy.proxy.ProxyConfig;
import org.jspecify.annotations.Nullable;

/**
 * Statements as spans of the calls that they are made for: the first word and the time, never the
 * text, which may hold what is nobody's business. Any thread.
 */
final class StatementSpans implements QueryExecutionListener {
    private static final String BEGAN = "io.carillon.began";
    private static final int MOST_WORD = 32;

    private final CallTraces traces;
    private final ProxyConfig config;

    StatementSpans(CallTraces traces) {
        this.traces = traces;
        this.config = ProxyConfig.Builder.create().queryListener(this).build();
    }

    /** That connection, looked on at. */
    Connection watched(Connection connection) {
        return config.getJdbcProxyFactory()
                .createConnection(connection, new ConnectionInfo(), config);
    }

    @Override
    public void beforeQuery(ExecutionInfo execution, List<QueryInfo> queries) {
        execution.addCustomValue(BEGAN, traces.nanoTime());
    }

    @Override
    public void afterQuery(ExecutionInfo execution, List<QueryInfo> queries) {
        Long began = execution.getCustomValue(BEGAN, Long.class);
        if (began != null) {
            Throwable failure = execution.getThrowable();
            traces.statement(operation(queries), began, failure == null ? null : words(failure));
        }
    }

    /** What the database says may hold values: only whose complaint it is. */
    private static String words(Throwable failure) {
        return failure.getClass().getSimpleName();
    }

    private static String operation(List<QueryInfo> queries) {
        String text = queries.isEmpty() ? null : queries.getFirst().getQuery();
        return text == null ? "BATCH" : firstWord(text);
    }

    /** The first word of a statement, in capitals. */
    static String firstWord(@Nullable String text) {
        String plain = text == null ? "" : text.strip();
        int end = 0;
        while (end < Math.min(plain.length(), MOST_WORD) && Character.isLetter(plain.charAt(end))) {
            end++;
        }
        return end == 0 ? "STATEMENT" : plain.substring(0, end).toUpperCase(Locale.ROOT);
    }
}
