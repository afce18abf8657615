package io.carillon.pojo;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.pojo.engine.BeanSource;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallRecords;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;

/**
 * A call with beans of all scopes goes on in another container, for the tests of both frameworks.
 */
public final class TakenOverBeans {
    private TakenOverBeans() {}

    /** Tells its beans the name of their call. */
    @SipHandler
    public static class Names {
        private static final AtomicReference<Names> LAST = new AtomicReference<>();

        @Inject Belongings.OfSession ofSession;
        @Inject Belongings.OfApplicationSession ofApplicationSession;
        @Inject Belongings.OfCall ofCall;

        @SuppressWarnings("this-escape") // no subclass but a framework's stand-in
        public Names() {
            LAST.set(this);
        }

        @Invite
        public int invite(SipServletRequest request) {
            LAST.set(this);
            ofSession.belongsTo("the call");
            ofApplicationSession.belongsTo("the call");
            ofCall.belongsTo("the call");
            return 200;
        }
    }

    /** Runs it with the beans of two containers of the framework. */
    public static void run(Supplier<BeanSource> sources) throws Exception {
        int before = Belongings.ALIVE.get();
        byte[] record;
        SipTestServer first = SipTestServer.open(1, false);
        try {
            deploy(first, sources.get());
            Call call = first.phone("alice").call(first.uri("x"));
            first.advance(Duration.ofSeconds(1));
            assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
            assertThat(Belongings.ALIVE.get() - before).isEqualTo(3);
            record = record((ApplicationSession) first.session("named"));
            assertThat(CallRecords.header(record).whole()).as("all of it goes").isTrue();
        } finally {
            first.close();
        }
        int gone = Belongings.ALIVE.get();
        SipTestServer second = SipTestServer.open(2, false);
        try {
            deploy(second, sources.get());
            adopt(second, record);
            SipApplicationSession session = second.session("named");
            SipSession leg = (SipSession) session.getSessions("SIP").next();
            Names names = SipScopes.within(leg, TakenOverBeans::here);
            // A bean that began anew would take the name for its own.
            assertThat(SipScopes.within(leg, () -> names.ofSession.belongsTo("another"))).isFalse();
            assertThat(SipScopes.within(leg, () -> names.ofCall.belongsTo("another"))).isFalse();
            assertThat(
                            SipScopes.within(
                                    session, () -> names.ofApplicationSession.belongsTo("another")))
                    .isFalse();
            assertThat(SipScopes.within(leg, () -> names.ofCall.belongsTo("the call"))).isTrue();
            assertThat(Belongings.ALIVE.get()).as("none was made").isEqualTo(gone);
            session.invalidate();
            second.advance(Duration.ofSeconds(1));
            assertThat(gone - Belongings.ALIVE.get()).as("destroyed with the call").isEqualTo(3);
        } finally {
            second.close();
        }
    }

    private static Names here() {
        return Objects.requireNonNull(Names.LAST.get());
    }

    private static void deploy(SipTestServer server, BeanSource source) throws Exception {
        server.deploy(PlainHandlers.describe("named", source).distributable(true).build());
    }

    private static byte[] record(ApplicationSession session) {
        AtomicReference<byte[]> written = new AtomicReference<>();
        session.inTurn(() -> written.set(CallRecords.write(session, 1, 1, 1)));
        return Objects.requireNonNull(written.get());
    }

    private static void adopt(SipTestServer server, byte[] record) {
        Application application = server.container().applications().getFirst();
        AtomicReference<CallRecords.Adopted> how = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CallRecords.adopt(
                server.container().newSessions(),
                application,
                server.container().host().shards().some(),
                record,
                2,
                BooleanSupplier::getAsBoolean,
                (outcome, why) -> {
                    how.set(outcome);
                    failure.set(why);
                });
        server.advance(Duration.ofSeconds(1));
        assertThat(failure.get() == null ? "" : failure.get() + " by " + failure.get().getCause())
                .isEmpty();
        assertThat(how.get()).isEqualTo(CallRecords.Adopted.GOES_ON);
        assertThat(List.copyOf(server.sessions("named"))).hasSize(1);
    }
}
