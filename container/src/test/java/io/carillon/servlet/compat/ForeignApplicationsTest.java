package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications as they were written for other servers, through the loader, called. */
class ForeignApplicationsTest {
    private static final String CONTACT = "Contact: <sip:%s:5060>";

    @TempDir Path folder;

    private Server server() {
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        SessionStores.inMemory(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withWorkFolder(folder.resolve("work")));
        server.container.settings().dataSource(TestRequests.stub(DataSource.class, Map.of()));
        return server;
    }

    private TestArchive archive() {
        return new TestArchive(folder);
    }

    private static String text(String line, String from, String callId, String type, String body) {
        return line
                + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bK"
                + callId
                + "\nMax-Forwards: 70\nFrom: <"
                + from
                + ">;tag=a\nTo: <sip:to@x>\nCall-ID: "
                + callId
                + "\nCSeq: 1 "
                + line.substring(0, line.indexOf(' '))
                + "\nContent-Type: "
                + type
                + "\nContent-Length: "
                + body.length()
                + "\n\n"
                + body;
    }

    @Test
    void aClickThatConnectsTwoPhones() throws Exception {
        Server server = server();
        Application click =
                server.container.deploy(
                        archive()
                                .classes(ForeignApplications.CLICK)
                                .sipXml(ForeignApplications.CLICK_XML)
                                .file("WEB-INF/web.xml", "<web-app version=\"2.5\"/>")
                                .file("index.jsp", "<html/>")
                                .write("click.war"));
        assertThat(click.description().warnings()).isEmpty();
        assertThat(click.description().presentation().servlets())
                .containsEntry("Click", "Click servlet");
        RawPeer page = server.peer("10.0.0.2");
        RawPeer first = server.peer("10.0.0.3");
        RawPeer second = server.peer("10.0.0.4");
        page.send(
                text(
                        "MESSAGE sip:click@10.0.0.1",
                        "sip:page@x",
                        "click",
                        "text/plain",
                        "sip:10.0.0.3 sip:10.0.0.4"));
        page.response(202);
        SipRequest toFirst = first.request("INVITE");
        first.respond(toFirst, 180, "f", CONTACT.formatted("10.0.0.3"));
        first.respond(toFirst, 200, "f", CONTACT.formatted("10.0.0.3"));
        SipRequest toSecond = second.request("INVITE");
        assertThat(toSecond.callId()).isNotEqualTo(toFirst.callId());
        second.respond(toSecond, 200, "s", CONTACT.formatted("10.0.0.4"));
        second.request("ACK");
        first.request("ACK");
        first.request(
                "BYE " + toFirst.contacts().getFirst().uri(),
                "<sip:10.0.0.3>;tag=f",
                String.valueOf(toFirst.header(HeaderName.FROM)),
                toFirst.callId(),
                1);
        first.response(200);
        SipRequest passed = second.request("BYE");
        second.respond(passed, 200, "s");
        server.run(Duration.ofSeconds(40));
        server.assertClean();
    }

    @Test
    void aLocationServiceOf1_0WithMappingsAndADispatcher() throws Exception {
        Server server = server();
        Application location =
                server.container.deploy(
                        archive()
                                .classes(
                                        ForeignApplications.REGISTRAR, ForeignApplications.LOCATION)
                                .sipXml(ForeignApplications.LOCATION_XML)
                                .write("location-service.sar"));
        assertThat(location.name()).isEqualTo("location-service");
        assertThat(location.description().version()).isEqualTo(ApplicationDescription.Version.V1_0);
        assertThat(location.description().proxyTimeoutSeconds()).isEqualTo(20);
        assertThat(location.description().warnings()).isEmpty();
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        bob.request(
                "REGISTER sip:10.0.0.1",
                "<sip:bob@example.com>;tag=b",
                "<sip:bob@example.com>",
                "reg",
                1,
                CONTACT.formatted("10.0.0.3"));
        assertThat(bob.response(200).header(HeaderName.CONTACT)).contains("expires=3600");
        alice.request(
                "INVITE sip:bob@10.0.0.1",
                "<sip:alice@x>;tag=a",
                "<sip:bob@x>",
                "call",
                1,
                CONTACT.formatted("10.0.0.2"));
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.header(HeaderName.RECORD_ROUTE)).isNotNull();
        bob.respond(invite, 486, "b");
        SipResponse busy = alice.response(486);
        assertThat(busy.header(HeaderName.of("X-Seen"))).isEqualTo("proxy");
        alice.request(
                "INVITE sip:bob@10.0.0.1",
                "<sip:NoBody@x>;tag=a",
                "<sip:bob@x>",
                "unmapped",
                1,
                CONTACT.formatted("10.0.0.2"));
        alice.response(404);
        server.run(Duration.ofSeconds(40));
        server.assertClean();
    }

    @Test
    void annotationsAloneWithAListenerOfEverything() throws Exception {
        List<String> noted = new ArrayList<>();
        System.getProperties().put("carillon.test.noted", noted);
        Server server = server();
        Application application =
                server.container.deploy(
                        archive()
                                .classes(
                                        ForeignApplications.NOTED_PACKAGE,
                                        ForeignApplications.NOTED_FRONT,
                                        ForeignApplications.NOTED_OTHER,
                                        ForeignApplications.NOTED_LISTENER)
                                .write("anything.war"));
        assertThat(application.name()).isEqualTo("noted");
        RawPeer alice = server.peer("10.0.0.2");
        String from = "<sip:alice@x>;tag=a";
        alice.request(
                "INVITE sip:bob@10.0.0.1",
                from,
                "<sip:bob@x>",
                "noted",
                1,
                CONTACT.formatted("10.0.0.2"));
        String to = "<sip:bob@x>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:bob@10.0.0.1", from, to, "noted", 1);
        server.run(Duration.ofSeconds(3));
        alice.request("BYE sip:bob@10.0.0.1", from, to, "noted", 2);
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        server.container.retire("noted", null);
        assertThat(noted)
                .containsSubsequence(
                        "context",
                        "servlet front",
                        "servlet Other",
                        "call",
                        "dialog",
                        "call attribute",
                        "dialog attribute",
                        "dialog attribute replaced",
                        "timer CONFIRMED",
                        "dialog ready",
                        "dialog gone",
                        "call ready",
                        "unbound",
                        "context gone")
                .contains("bound", "call gone");
        server.assertEmpty();
    }

    @Test
    void enterpriseElementsAFrameworkInALibraryAndEveryContextAttribute() throws Exception {
        Server server = server();
        Application enterprise =
                server.container.deploy(
                        archive()
                                .library(
                                        "app.jar",
                                        ForeignApplications.FRAMEWORK,
                                        ForeignApplications.CONTROLLER)
                                .file("WEB-INF/classes/lib.properties", "b=2")
                                .file("WEB-INF/conf/app.properties", "a=1")
                                .file("WEB-INF/weblogic.xml", "<weblogic-web-app/>")
                                .sipXml(ForeignApplications.ENTERPRISE_XML)
                                .explode("enterprise-app"));
        assertThat(enterprise.description().warnings())
                .singleElement()
                .asString()
                .contains("<ejb-local-ref> is passed over");
        RawPeer alice = server.peer("10.0.0.2");
        alice.request("OPTIONS sip:10.0.0.1", "<sip:a@x>;tag=a", "<sip:s@x>", "options", 1);
        SipResponse fine = alice.response(200);
        assertThat(fine.headers(HeaderName.of("X-Found")))
                .containsExactly(
                        "interface 10.0.0.1",
                        "supported true",
                        "rfcs true",
                        "prack true",
                        "timers true",
                        "util true",
                        "settings 12",
                        "user null null false",
                        "names controller enterprise false",
                        "env 12 true true");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void anEmptyDescriptorBesideAnnotationsAndARelayOfMessages() throws Exception {
        Server server = server();
        Application producer =
                server.container.deploy(
                        archive()
                                .classes(ForeignApplications.PRODUCER)
                                .sipXml(ForeignApplications.EMPTY_XML)
                                .write("producer.war"));
        assertThat(producer.name()).isEqualTo("org.example.Producer");
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        alice.send(text("MESSAGE sip:bob@10.0.0.1", "sip:alice@x", "relay", "text/plain", "hello"));
        SipRequest relayed = bob.request("MESSAGE");
        assertThat(new String(relayed.body(), StandardCharsets.UTF_8)).isEqualTo("HELLO");
        bob.respond(relayed, 202, "b");
        alice.response(202);
        server.run(Duration.ofSeconds(40));
        server.assertClean();
    }
}
