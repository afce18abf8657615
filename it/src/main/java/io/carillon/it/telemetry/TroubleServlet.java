package io.carillon.it.telemetry;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.annotation.Resource;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An application that makes the trouble which the called user is named after. */
public class TroubleServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(7);
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long BURNS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    @Resource private transient @Nullable DataSource data;

    @Override
    protected void doInvite(SipServletRequest invite) throws IOException {
        switch (((SipURI) invite.getRequestURI()).getUser()) {
            case "throws" -> throw new IllegalStateException("as asked for");
            case "fails" -> {
                invite.createResponse(SipServletResponse.SC_SERVER_INTERNAL_ERROR).send();
                return;
            }
            case "late" -> pause(LATE_NANOS);
            case "slow" -> pause(SLOW_NANOS);
            case "burns" -> burn();
            case "database" -> ask();
            default -> {}
        }
        invite.createResponse(SipServletResponse.SC_RINGING).send();
        invite.createResponse(SipServletResponse.SC_OK).send();
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void burn() {
        long end = System.nanoTime() + BURNS_NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private void ask() {
        try (Connection connection =
                Objects.requireNonNull(data, "a server with a database").getConnection()) {
            log("the database is there: " + connection);
        } catch (SQLException e) {
            log("the database is away, as it should be: " + e.getMessage());
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }
}
