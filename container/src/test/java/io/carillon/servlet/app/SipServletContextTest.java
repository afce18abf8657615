package io.carillon.servlet.app;

import static io.carillon.servlet.TestRequests.sip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.TestRequests;
import java.io.File;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SipServletContextTest {
    @TempDir Path folder;
    private SipServletContext context;

    @BeforeEach
    void context() throws Exception {
        Path root = Files.createDirectories(folder.resolve("app"));
        Files.createDirectories(root.resolve("WEB-INF/sub"));
        Files.writeString(root.resolve("WEB-INF/text"), "hello");
        Files.writeString(folder.resolve("secret"), "secret");
        Path temp = Files.createDirectories(folder.resolve("temp"));
        ApplicationDescription description =
                ApplicationDescription.builder("shop")
                        .displayName("The shop")
                        .contextParam("a", "1")
                        .servlet("s", () -> new SipServlet() {})
                        .build();
        context = new SipServletContext(description, root, temp, getClass().getClassLoader());
    }

    @Test
    void theContainersServicesAreAttributes() {
        SipURI listening = sip("", "127.0.0.1", 5060, Map.of());
        ApplicationServices services =
                new ApplicationServices(
                        TestRequests.factory(),
                        TestRequests.timers(),
                        TestRequests.sessionsUtil(),
                        List.of(listening),
                        List.of("100rel"),
                        List.of("3261"));
        context.provide(services);
        assertThat(context.getAttribute("javax.servlet.sip.SipFactory"))
                .isSameAs(services.sipFactory());
        assertThat(context.getAttribute("javax.servlet.sip.TimerService"))
                .isSameAs(services.timerService());
        assertThat(context.getAttribute("javax.servlet.sip.SipSessionsUtil"))
                .isSameAs(services.sipSessionsUtil());
        assertThat(context.getAttribute("javax.servlet.sip.outboundInterfaces"))
                .isEqualTo(List.of(listening));
        assertThat(context.getAttribute("javax.servlet.sip.supported"))
                .isEqualTo(List.of("100rel"));
        assertThat(context.getAttribute("javax.servlet.sip.supportedRfcs"))
                .isEqualTo(List.of("3261"));
        assertThat(context.getAttribute("javax.servlet.sip.100rel")).isEqualTo(true);
        assertThatThrownBy(() ->
                        ((List<?>) context.getAttribute("javax.servlet.sip.supported")).clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void resourcesAreThoseOfTheArchiveAndNoOthers() throws Exception {
        assertThat(context.getRealPath("/WEB-INF/text"))
                .isEqualTo(folder.resolve("app/WEB-INF/text").toString());
        try (InputStream in = context.getResourceAsStream("/WEB-INF/text")) {
            assertThat(in).hasContent("hello");
        }
        assertThat(context.getResource("/WEB-INF/text")).isNotNull();
        assertThat(context.getResource("/none")).isNull();
        assertThat(context.getResourcePaths("/WEB-INF"))
                .containsExactlyInAnyOrder("/WEB-INF/text", "/WEB-INF/sub/");
        assertThat(context.getResourcePaths("/none")).isNull();
        assertThat(context.getResourceAsStream("/../secret")).isNull();
        assertThat(context.getRealPath("/../secret")).isNull();
        assertThatThrownBy(() -> context.getResource("text"))
                .isInstanceOf(MalformedURLException.class);
        assertThat((File) context.getAttribute(ServletContext.TEMPDIR)).isDirectory();
    }

    @Test
    void namesAndParameters() {
        assertThat(context.getServletContextName()).isEqualTo("The shop");
        assertThat(context.getServerInfo()).startsWith("Carillon");
        assertThat(context.getInitParameter("a")).isEqualTo("1");
        assertThat(context.setInitParameter("a", "2")).isFalse();
        assertThat(context.setInitParameter("b", "2")).isTrue();
        context.initialized();
        assertThatThrownBy(() -> context.setInitParameter("c", "3"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void attributeListenersAreTold() {
        List<String> events = new ArrayList<>();
        context.listeners(
                Listeners.of(
                        List.of(
                                new ServletContextAttributeListener() {
                                    @Override
                                    public void attributeAdded(ServletContextAttributeEvent e) {
                                        events.add("added " + e.getName() + "=" + e.getValue());
                                    }

                                    @Override
                                    public void attributeReplaced(ServletContextAttributeEvent e) {
                                        events.add("replaced " + e.getName() + "=" + e.getValue());
                                    }

                                    @Override
                                    public void attributeRemoved(ServletContextAttributeEvent e) {
                                        events.add("removed " + e.getName() + "=" + e.getValue());
                                    }
                                })));
        context.setAttribute("x", 1);
        context.setAttribute("x", 2);
        context.setAttribute("x", null);
        context.removeAttribute("x");
        assertThat(events).containsExactly("added x=1", "replaced x=1", "removed x=2");
    }

    /** Javadoc of ServletContext: null or an empty map where there is none. */
    @Test
    void whatLooksForHttpFindsNothing() {
        assertThat(context.getRequestDispatcher("/index.jsp")).isNull();
        assertThat(context.getNamedDispatcher("index")).isNull();
        assertThat(context.getServletRegistration("index")).isNull();
        assertThat(context.getServletRegistrations()).isEmpty();
        assertThat(context.getFilterRegistration("index")).isNull();
        assertThat(context.getFilterRegistrations()).isEmpty();
        assertThat(context.getJspConfigDescriptor()).isNull();
        assertThat(context.getRequestCharacterEncoding()).isNull();
        assertThat(context.getResponseCharacterEncoding()).isNull();
    }

    @Test
    void whatBelongsToHttpSaysSo() {
        assertThatThrownBy(() -> context.addServlet("s", "x.S"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(
                        "ServletContext.addServlet belongs to HTTP, and this application has no HTTP side");
        assertThatThrownBy(() -> context.addListener("x.L"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(
                        "listeners of a SIP application are declared in sip.xml or by @SipListener");
    }
}
