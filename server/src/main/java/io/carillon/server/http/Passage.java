package io.carillon.server.http;

import io.carillon.protection.http.HttpSource;
import io.carillon.server.nodes.OtherPages;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The way of a request to another node and of its response back, as they come: neither body is
 * collected. The visitor's head goes as it is, beside {@link PassedRequest#HEADER}; what belongs to
 * his connection alone does not (RFC 9110 section 7.6.1), so no WebSocket is opened. Threads of its
 * own, which never wait.
 */
final class Passage extends ProxyHandler.Reverse {
    /** The number of the node that a request is passed on to. */
    static final String TO = Passage.class.getName() + ".to";

    private static final String RETRY_SECONDS = "1";

    private static final long CONNECT_MILLIS = 1_000;

    /** Of connections that nobody uses; shorter than the other side's. */
    private static final long IDLE_MILLIS = 20_000;

    private static final int THREADS = 8;

    /** Our header comes on top of what a visitor may send. */
    private static final int HEAD_BYTES = 2 * 8192;

    private final OtherPages others;
    private final OpenPasses open;
    private final HttpCounters.Passed counters;

    Passage(OtherPages others, OpenPasses open, HttpCounters.Passed counters) {
        super(Request::getHttpURI);
        this.others = others;
        this.open = open;
        this.counters = counters;
    }

    private static int node(Request request) {
        return request.getAttribute(TO) instanceof Integer node ? node : OtherPages.NOBODY;
    }

    @Override
    protected HttpClient newHttpClient() {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("http-passed");
        threads.setDaemon(true);
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        connector.setScheduler(getServer().getScheduler());
        connector.setByteBufferPool(getServer().getByteBufferPool());
        connector.setConnectTimeout(Duration.ofMillis(CONNECT_MILLIS));
        SslContextFactory.Client proof = new SslContextFactory.Client();
        proof.setSslContext(others.tls());
        proof.setIncludeProtocols("TLSv1.3");
        connector.setSslContextFactory(proof);
        return new HttpClient(new HttpClientTransportOverHTTP(connector));
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.setConnectTimeout(CONNECT_MILLIS);
        client.setIdleTimeout(IDLE_MILLIS);
        client.setMaxConnectionsPerDestination(open.most());
        client.setMaxRequestsQueuedPerDestination(open.most());
        client.setMaxRequestHeadersSize(HEAD_BYTES);
        client.setUserAgentField(null);
    }

    /** By the text of its target: what is no URI to the JDK goes as it came. */
    @Override
    protected org.eclipse.jetty.client.Request newProxyToServerRequest(
            Request visitors, HttpURI target) {
        InetSocketAddress to = others.address(node(visitors));
        return getHttpClient()
                .newRequest(to.getAddress().getHostAddress(), to.getPort())
                .scheme("https")
                .path(target.getPathQuery())
                .method(visitors.getMethod())
                // An event stream may be silent. A node that is dead is looked for.
                .idleTimeout(0, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void addProxyHeaders(Request visitors, org.eclipse.jetty.client.Request passed) {
        String visitor = PassedRequest.of(visitors).text();
        passed.headers(headers -> headers.put(new HttpField(PassedRequest.HEADER, visitor)));
    }

    @Override
    protected void sendProxyToServerRequest(
            Request visitors,
            org.eclipse.jetty.client.Request passed,
            Response response,
            Callback callback) {
        OpenPasses.Pass pass = new OpenPasses.Pass(HttpSource.of(visitors), node(visitors), passed);
        open.add(pass);
        Request.addCompletionListener(visitors, failure -> open.remove(pass));
        counters.on().increment();
        super.sendProxyToServerRequest(visitors, passed, response, callback);
    }

    @Override
    protected void onServerToProxyResponseFailure(
            Request visitors,
            org.eclipse.jetty.client.Request passed,
            org.eclipse.jetty.client.Response answer,
            Response response,
            Callback callback,
            Throwable failure) {
        counters.failed().increment();
        if (response.isCommitted()) {
            callback.failed(failure);
        } else if (notReached(failure)) {
            unavailable(visitors, response, callback);
        } else {
            Response.writeError(visitors, response, callback, HttpStatus.BAD_GATEWAY_502);
        }
    }

    private static boolean notReached(Throwable failure) {
        return failure instanceof ConnectException || failure instanceof SocketTimeoutException;
    }

    /** To be asked again, when the others know who goes on with what the dead node had. */
    static void unavailable(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_SECONDS);
        Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
    }

    /** Ends those to nodes that are gone. */
    void look() {
        for (OpenPasses.Pass pass : open.lost(others::lives)) {
            // What comes of it is told to the listener of the request.
            var _ = pass.request().abort(new IOException("node " + pass.node() + " is gone"));
        }
    }
}
