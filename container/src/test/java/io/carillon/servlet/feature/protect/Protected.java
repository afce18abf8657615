package io.carillon.servlet.feature.protect;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.ScriptedStore;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.EventListener;
import javax.servlet.sip.SipServlet;

/** A server on virtual time whose calls go to a {@link ScriptedStore}. */
final class Protected {
    static final String FROM = "<sip:a@x>;tag=a";

    final SimulatedNetwork network;
    final ScriptedStore store;
    final Owning ownership = new Owning();
    final CallProtection protection;
    final Server server;
    final RawPeer alice;
    final RawPeer bob;

    /** Owns all partitions, or none. */
    static final class Owning implements Ownership {
        boolean owns = true;
        long term = 1;

        /** Has its lease a gap while it does not own them? */
        boolean gap;

        /** Are they being given to another node? */
        boolean given;

        @Override
        public boolean takesNewWork(int partition) {
            return owns && !given;
        }

        @Override
        public boolean owns(int partition) {
            return owns;
        }

        @Override
        public boolean mayOwnAgain(int partition) {
            return owns || gap;
        }

        @Override
        public long term(int partition) {
            return term;
        }
    }

    Protected() {
        this(ProtectionSettings.DEFAULT, new CallRecordWriter(1));
    }

    Protected(ProtectionSettings settings, RecordWriter writer) {
        network = new SimulatedNetwork(new VirtualTime(), 5);
        store = new ScriptedStore(network.time());
        protection = new CallProtection(store, ownership, Protected::partition, writer, settings);
        server =
                new Server(
                        network,
                        "10.0.0.1",
                        1,
                        5,
                        protection,
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults());
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
    }

    static int partition(ApplicationSession session) {
        return Math.floorMod(session.getId().hashCode(), Ownership.PARTITIONS);
    }

    Protected deploy(SipServlet servlet, ExecutionMode mode, EventListener... listeners) {
        server.deploy(servlet, mode, listeners);
        return this;
    }

    void millis(long span) {
        server.run(Duration.ofMillis(span));
    }

    void invite(String callId, String... headers) {
        String[] all = new String[headers.length + 1];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Contact: <sip:10.0.0.2:5060>";
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", callId, 1, all);
    }

    /** A request of the caller's within the dialog. */
    void request(String method, String tag, String callId, int cseq, String... headers) {
        alice.request(
                method + " sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>;tag=" + tag,
                callId,
                cseq,
                headers);
    }

    ProtectionStatus status() {
        return protection.status();
    }
}
