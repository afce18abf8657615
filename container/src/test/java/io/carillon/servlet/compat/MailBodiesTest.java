package io.carillon.servlet.compat;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.TestRequests;
import io.carillon.servlet.app.TestArchive;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.activation.DataSource;
import javax.mail.internet.MimeMultipart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multipart bodies of applications that bring JavaMail, and of those that do not. */
class MailBodiesTest {
    private static final String MIXED = "multipart/mixed;boundary=b1";
    private static final String BODY =
            "--b1\r\n\r\nhello\r\n--b1\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--b1--\r\n";

    private static final String HEAD =
            "package x; import javax.servlet.sip.*; @javax.servlet.sip.annotation.SipServlet public class S extends SipServlet { "
                    + "protected void doMessage(SipServletRequest r) throws java.io.IOException { SipServletResponse a = r.createResponse(200); Object c = r.getContent(); ";
    private static final String TAIL = " a.send(); } }";

    /** Says what it was given. */
    private static final String READING = "a.setHeader(\"X-Type\", c.getClass().getName()); ";

    private static final String APPLICATION =
            "@javax.servlet.sip.annotation.SipApplication(name=\"mail\") package x;";

    @TempDir Path folder;

    private TestArchive archive(String source) throws Exception {
        return new TestArchive(folder).classes(APPLICATION, HEAD + source + TAIL);
    }

    private static TestArchive with(TestArchive archive, Class<?> ofLibrary) throws Exception {
        Path jar = Path.of(ofLibrary.getProtectionDomain().getCodeSource().getLocation().toURI());
        return archive.file("WEB-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar));
    }

    private TestArchive withMail(String source) throws Exception {
        return with(with(archive(source), MimeMultipart.class), DataSource.class);
    }

    private SipResponse answer(TestArchive archive, String type, String body) throws Exception {
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        SessionStores.inMemory(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withWorkFolder(folder.resolve("work")));
        server.container
                .settings()
                .dataSource(TestRequests.stub(javax.sql.DataSource.class, Map.of()));
        server.container.deploy(archive.write("mail.war"));
        RawPeer alice = server.peer("10.0.0.2");
        alice.send(
                "MESSAGE sip:b@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bK1\r\n"
                        + "Max-Forwards: 70\r\nFrom: <sip:a@x>;tag=a\r\nTo: <sip:b@y>\r\nCall-ID: c1\r\nCSeq: 1 MESSAGE\r\n"
                        + "Content-Type: "
                        + type
                        + "\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body);
        SipResponse answer = (SipResponse) alice.any();
        assertThat(answer.status()).isEqualTo(200);
        server.assertClean();
        server.container.close();
        return answer;
    }

    private static String header(SipResponse response, String name) {
        return response.header(HeaderName.of(name));
    }

    private static String body(SipResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** SIP Servlet 1.1, getContent: "It is encouraged that [it] is a javax.mail.Multipart". */
    @Test
    void aMultipartIsAnObjectOfTheArchivesOwnJavaMail() throws Exception {
        SipResponse answer =
                answer(
                        withMail(
                                READING
                                        + "try { javax.mail.Multipart m = (javax.mail.Multipart) c; "
                                        + "a.setHeader(\"X-Count\", \"\" + m.getCount()); "
                                        + "a.setHeader(\"X-First\", \"\" + m.getBodyPart(0).getContent()); "
                                        + "a.setHeader(\"X-Second\", m.getBodyPart(1).getContentType()); "
                                        + "} catch (javax.mail.MessagingException e) { throw new RuntimeException(e); }"),
                        MIXED,
                        BODY);
        assertThat(header(answer, "X-Type")).isEqualTo("javax.mail.internet.MimeMultipart");
        assertThat(header(answer, "X-Count")).isEqualTo("2");
        assertThat(header(answer, "X-First")).isEqualTo("hello");
        assertThat(header(answer, "X-Second")).isEqualTo("application/sdp");
    }

    @Test
    void withoutJavaMailItIsBytes() throws Exception {
        assertThat(header(answer(archive(READING), MIXED, BODY), "X-Type")).isEqualTo("[B");
    }

    /** JavaMail alone was enough as long as the JDK had javax.activation. */
    @Test
    void withAJavaMailThatCannotBeUsedItIsBytes() throws Exception {
        TestArchive archive = with(archive(READING), MimeMultipart.class);
        assertThat(header(answer(archive, MIXED, BODY), "X-Type")).isEqualTo("[B");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/mixed;boundary=other",
                "multipart/mixed;boundary",
                "multipart/;boundary=b1",
                "multipart/mixed;=;=\"",
            })
    void aBodyThatJavaMailCannotReadIsBytes(String type) throws Exception {
        assertThat(header(answer(withMail(READING), type, "no parts"), "X-Type")).isEqualTo("[B");
    }

    @Test
    void otherTypesStayWhatTheyAre() throws Exception {
        assertThat(header(answer(withMail(READING), "application/sdp", "v=0\r\n"), "X-Type"))
                .isEqualTo("[B");
        assertThat(header(answer(withMail(READING), "text/plain", "v=0\r\n"), "X-Type"))
                .isEqualTo("java.lang.String");
    }

    @Test
    void whatWasReadIsWrittenAsItCame() throws Exception {
        SipResponse answer = answer(withMail("a.setContent(c, \"multipart/mixed\");"), MIXED, BODY);
        assertThat(header(answer, "Content-Type")).isEqualTo("multipart/mixed;boundary=b1");
        assertThat(body(answer)).isEqualTo(BODY);
    }

    /** Its own type, which JavaMail folds; parts with the types that they were given. */
    @ParameterizedTest
    @ValueSource(strings = {"m.getContentType()", "\"multipart/related;boundary=x;type=t\""})
    void aNewMultipartIsWrittenWithItsBoundary(String type) throws Exception {
        SipResponse answer =
                answer(
                        withMail(
                                "try { javax.mail.internet.MimeMultipart m = new javax.mail.internet.MimeMultipart(); "
                                        + "javax.mail.internet.MimeBodyPart p = new javax.mail.internet.MimeBodyPart(); "
                                        + "p.setDataHandler(new javax.activation.DataHandler(new javax.mail.util.ByteArrayDataSource(\"v=0\\r\\n\", \"application/sdp\"))); "
                                        + "m.addBodyPart(p); javax.mail.internet.MimeBodyPart q = new javax.mail.internet.MimeBodyPart(); q.setText(\"hello\"); m.addBodyPart(q); "
                                        + "a.setContent(m, "
                                        + type
                                        + "); } catch (javax.mail.MessagingException e) { throw new RuntimeException(e); }"),
                        MIXED,
                        BODY);
        String given = header(answer, "Content-Type");
        String boundary = given.replaceAll(".*boundary=\"([^\"]+)\".*", "$1");
        assertThat(boundary).startsWith("----=_Part_");
        // JavaMail folds only a line over 76 characters, and the boundary holds an identity hash
        // code
        // of seven to ten digits: with a short one there is no fold, and one space.
        assertThat(given.replace(";  ", "; "))
                .isEqualTo(
                        type.startsWith("m")
                                ? "multipart/mixed; boundary=\"" + boundary + '"'
                                : "multipart/related;type=t;boundary=\"" + boundary + '"');
        assertThat(body(answer))
                .isEqualTo(
                        "--"
                                + boundary
                                + "\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n\r\n--"
                                + boundary
                                + "\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\nhello\r\n--"
                                + boundary
                                + "--\r\n");
    }

    @Test
    void aMultipartThatCannotBeWrittenIsRefused() throws Exception {
        SipResponse answer =
                answer(
                        withMail(
                                "try { a.setContent(new javax.mail.internet.MimeMultipart(), \"multipart/mixed\"); } "
                                        + "catch (IllegalArgumentException e) { a.setHeader(\"X-Refused\", e.getMessage().replaceAll(\"\\\\s+\", \" \")); } "
                                        + "try { a.setContent(c, \"application/sdp\"); } "
                                        + "catch (IllegalArgumentException e) { a.setHeader(\"X-Type\", e.getMessage()); }"),
                        MIXED,
                        BODY);
        assertThat(header(answer, "X-Refused")).contains("Empty multipart");
        assertThat(header(answer, "X-Type"))
                .isEqualTo("only bytes and text can be the content of application/sdp");
        assertThat(answer.body()).isEmpty();
    }
}
