package io.carillon.it.operate;

import io.carillon.it.line.Line;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLSocket;

/** The certificate that a server shows to whoever connects by TLS. Stateless. */
final class PresentedCertificate {
    private static final int PATIENCE_MILLIS = 5000;

    private PresentedCertificate() {}

    /** What the server at this port of the loopback address shows. */
    static Certificate at(int port) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (Socket socket =
                Line.Trusting.context().getSocketFactory().createSocket(loopback, port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            SSLSocket secure = (SSLSocket) socket;
            secure.startHandshake();
            return secure.getSession().getPeerCertificates()[0];
        }
    }

    /** The first one of a PEM file. */
    static Certificate in(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException e) {
            throw new IOException(pem + " holds no certificate", e);
        }
    }
}
