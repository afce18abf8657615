package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.uri.Uri;

/** Makes proxies and their branches, as applications hold them. Stateless; any thread. */
public interface ProxyObjects {
    /** The proxy of a request. */
    default ServletProxy proxy(ServletRequest request, UasTransaction server) {
        return new ServletProxy(request, server);
    }

    /** A target of a proxy. */
    default ServletProxyBranch branch(ServletProxy proxy, Uri target) {
        return new ServletProxyBranch(proxy, target);
    }
}
