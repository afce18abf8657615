package io.carillon.servlet.dispatch;

import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.servlet.feature.identity.SigningPolicy;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.refresh.SessionTimerPolicy;
import io.carillon.servlet.port.ApplicationRecords;
import io.carillon.servlet.port.OutboundInterfaces;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * How features are set for all applications of a container. Written before the first message; read
 * by any thread.
 */
public final class FeatureSettings {
    private static final int LINES_PER_SECOND = 1_000;

    private volatile @Nullable PrivacyService privacyService;
    private volatile @Nullable VerificationPolicy verification;
    private volatile @Nullable SigningPolicy signing;
    private volatile SessionTimerPolicy sessionTimers = SessionTimerPolicy.DEFAULT;
    private volatile int applicationLog = LINES_PER_SECOND;
    private volatile @Nullable DataSource dataSource;
    private volatile @Nullable ApplicationRecords records;
    private volatile boolean refusing;
    private volatile OutboundInterfaces interfaces = new OutboundInterfaces(List.of());

    /** Who serves callers that want privacy; null: nobody here. */
    public @Nullable PrivacyService privacyService() {
        return privacyService;
    }

    /** See {@link #privacyService()}. */
    public void privacyService(@Nullable PrivacyService service) {
        privacyService = service;
    }

    /** How callers' signed identities are verified; null: they are not. */
    public @Nullable VerificationPolicy verification() {
        return verification;
    }

    /** See {@link #verification()}. */
    public void verification(@Nullable VerificationPolicy policy) {
        verification = policy;
    }

    /** Which requests leave with a signed identity; null: none. */
    public @Nullable SigningPolicy signing() {
        return signing;
    }

    /** See {@link #signing()}. */
    public void signing(@Nullable SigningPolicy policy) {
        signing = policy;
    }

    /** How session timers are kept where an application says nothing else. */
    public SessionTimerPolicy sessionTimers() {
        return sessionTimers;
    }

    /** Whose points {@link #listeningPoints} changes. */
    public void interfaces(OutboundInterfaces ours) {
        interfaces = ours;
    }

    /** From now on others reach us there: URIs. */
    public void listeningPoints(List<String> uris) {
        interfaces.change(uris);
    }

    /** See {@link #sessionTimers()}. */
    public void sessionTimers(SessionTimerPolicy policy) {
        sessionTimers = policy;
    }

    /** Lines that one application may write with {@code ServletContext.log} in a second. */
    public int applicationLog() {
        return applicationLog;
    }

    /** See {@link #applicationLog()}; 0 for no limit. */
    public void applicationLog(int linesPerSecond) {
        applicationLog = linesPerSecond;
    }

    /** The database that applications are given; null where the server has none. */
    public @Nullable DataSource dataSource() {
        return dataSource;
    }

    /** See {@link #dataSource()}. */
    public void dataSource(DataSource source) {
        dataSource = source;
    }

    /** Who takes records of applications' own; null where none are kept. */
    public @Nullable ApplicationRecords records() {
        return records;
    }

    /** See {@link #records()}; before the first deployment. */
    public void records(ApplicationRecords taker) {
        records = taker;
    }

    /** Do new calls get 503? Requests within calls go on. */
    public boolean refusing() {
        return refusing;
    }

    /** See {@link #refusing()}; at any time. */
    public void refusing(boolean refuse) {
        refusing = refuse;
    }
}
