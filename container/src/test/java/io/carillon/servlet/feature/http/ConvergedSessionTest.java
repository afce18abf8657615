package io.carillon.servlet.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.members.Proves;
import io.carillon.servlet.port.PageVisitor;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSession.Protocol;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What HTTP sessions and application sessions are to each other, without an HTTP server. */
class ConvergedSessionTest {
    private final Server server =
            Server.fresh(1).deploy(new SipServlet() {}, ExecutionMode.BLOCKING);
    private final Application application = server.container.applications().getFirst();
    private final WebSessions sessions =
            new ApplicationWebSessions(
                    server.container.host(), server.container.newSessions(), application);
    private final Stub http = new Stub(sessions);

    @Test
    @Proves(
            value = "ConvergedHttpSession#getApplicationSession()",
            also = {
                "SipApplicationSession#getSession(String,Protocol)",
                "SipApplicationSession#getSessions(String)",
            })
    void getApplicationSessionMakesOneAndKeepsIt() {
        SipApplicationSession parent = http.getApplicationSession();
        assertThat(parent.isValid()).isTrue();
        assertThat(http.getApplicationSession()).isSameAs(parent);
        List<Object> found = new ArrayList<>();
        parent.getSessions("HTTP").forEachRemaining(found::add);
        assertThat(found).containsExactly(http);
        assertThat(parent.getSession("id", Protocol.HTTP)).isSameAs(http);
        assertThat(parent.getSession("other", Protocol.HTTP)).isNull();
        assertThat(parent.getSessions("SIP").hasNext()).isFalse();
    }

    @Test
    void anApplicationSessionIsNotReadyWhileItHasAnHttpSessionAndEndsIt() {
        SipApplicationSession parent = http.getApplicationSession();
        assertThat(parent.isReadyToInvalidate()).isFalse();
        parent.invalidate();
        assertThat(http.invalidated).isEqualTo(1);
    }

    @Test
    void theEndOfTheLastHttpSessionEndsAnApplicationSessionThatHasNothingElse() {
        SipApplicationSession parent = http.getApplicationSession();
        http.binding().ended();
        assertThat(parent.isValid()).isFalse();
        assertThatThrownBy(http::getApplicationSession).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Proves({
        "ConvergedHttpSession#encodeURL(String)",
        "ConvergedHttpSession#encodeURL(String,String)"
    })
    void encodeUrlWritesTheHttpSessionIntoThePath() {
        assertThat(http.encodeURL("http://h:1/app/p?a=b#c"))
                .isEqualTo("http://h:1/app/p;jsessionid=id?a=b#c");
        assertThat(http.encodeURL("/p;jsessionid=old;x=y")).isEqualTo("/p;x=y;jsessionid=id");
        assertThat(http.encodeURL("/p", "https"))
                .isEqualTo("https://front.example:8443/app/p;jsessionid=id");
        assertThatThrownBy(() -> http.encodeURL("/p", "ftp"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Proves("SipApplicationSession#encodeURL(URL)")
    void anEncodedUrlNamesItsApplicationSessionAndAChangedOneNone() throws Exception {
        ApplicationSession parent = (ApplicationSession) http.getApplicationSession();
        URL encoded = parent.encodeURL(URI.create("http://h/app/p?a=b#c").toURL());
        assertThat(encoded.toString()).startsWith("http://h/app/p?a=b&").endsWith("#c");
        assertThat(encoded.getPath()).isEqualTo("/app/p");
        assertThat(sessions.encodedIn(encoded.getQuery())).isSameAs(parent);
        assertThat(parent.encodeURL(encoded)).as("encoded twice").hasToString(encoded.toString());
        assertThat(sessions.encodedIn(encoded.getQuery() + "0")).isNull();
        assertThat(sessions.encodedIn("a=b")).isNull();
        assertThat(sessions.encodedIn(null)).isNull();
    }

    @Test
    void anHttpSessionThatIsBoundElsewhereLeavesItsApplicationSession() {
        SipApplicationSession before = http.getApplicationSession();
        before.setInvalidateWhenReady(false);
        ApplicationSession other = sessions.create(PageVisitor.UNKNOWN);
        http.binding().bind(other);
        assertThat(http.getApplicationSession()).isSameAs(other);
        assertThat(before.getSessions("HTTP").hasNext()).isFalse();
        assertThat(before.isReadyToInvalidate()).isTrue();
    }

    /** An HTTP session of no server: only what is converged works. */
    private abstract static class HttpOnly extends ConvergedSession {
        HttpOnly(WebSessions sessions) {
            super(sessions, new FrontEnd(() -> "front.example:8443"), PageVisitor.UNKNOWN);
        }

        @Override
        public ServletContext getServletContext() {
            return (ServletContext)
                    Proxy.newProxyInstance(
                            ServletContext.class.getClassLoader(),
                            new Class<?>[] {ServletContext.class},
                            (proxy, method, arguments) -> "/app");
        }

        @Override
        public String getId() {
            return "id";
        }

        @Override
        protected String idInUrls() {
            return getId();
        }

        @Override
        protected @Nullable String idParameter() {
            return "jsessionid";
        }
    }

    @SuppressWarnings("deprecation") // the servlet API's old members have to be there
    private static final class Stub extends HttpOnly {
        int invalidated;

        Stub(WebSessions sessions) {
            super(sessions);
        }

        @Override
        protected boolean busy() {
            return false;
        }

        @Override
        public void invalidate() {
            invalidated++;
            binding().ended();
        }

        @Override
        public long getCreationTime() {
            return 0;
        }

        @Override
        public long getLastAccessedTime() {
            return 0;
        }

        @Override
        public void setMaxInactiveInterval(int interval) {}

        @Override
        public int getMaxInactiveInterval() {
            return 0;
        }

        @Override
        public javax.servlet.http.@Nullable HttpSessionContext getSessionContext() {
            return null;
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return null;
        }

        @Override
        public @Nullable Object getValue(String name) {
            return null;
        }

        @Override
        public java.util.Enumeration<String> getAttributeNames() {
            return java.util.Collections.emptyEnumeration();
        }

        @Override
        public String[] getValueNames() {
            return new String[0];
        }

        @Override
        public void setAttribute(String name, Object value) {}

        @Override
        public void putValue(String name, Object value) {}

        @Override
        public void removeAttribute(String name) {}

        @Override
        public void removeValue(String name) {}

        @Override
        public boolean isNew() {
            return false;
        }
    }
}
