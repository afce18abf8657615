package io.carillon.boot;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A request whose body is counted as it is read, however that is done: chunks say no length before.
 * Of one thread at a time, as the request.
 */
public abstract class CountedBody extends HttpServletRequestWrapper {
    protected CountedBody(HttpServletRequest request) {
        super(request);
    }

    /**
     * More of it was read.
     *
     * @param bytes at least 1
     * @throws IOException where it may not be longer: its reader fails
     */
    protected abstract void counted(int bytes) throws IOException;

    /**
     * It is going to be read, and whoever does may wait for it.
     *
     * @throws IOException where it may not be
     */
    protected void reads() throws IOException {}

    /** Its end was read. */
    protected void ended() {}

    private void count(int bytes) throws IOException {
        if (bytes > 0) {
            counted(bytes);
        } else if (bytes < 0) {
            ended();
        }
    }

    @Override
    public BufferedReader getReader() throws IOException {
        String named = getCharacterEncoding();
        Charset set = named == null ? StandardCharsets.ISO_8859_1 : Charset.forName(named);
        return new BufferedReader(new InputStreamReader(getInputStream(), set));
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        ServletInputStream whole = super.getInputStream();
        return new ServletInputStream() {
            @Override
            public int read() throws IOException {
                reads();
                int next = whole.read();
                count(next < 0 ? -1 : 1);
                return next;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                reads();
                int bytes = whole.read(into, from, length);
                count(bytes);
                return bytes;
            }

            @Override
            public boolean isFinished() {
                return whole.isFinished();
            }

            @Override
            public boolean isReady() {
                return whole.isReady();
            }

            @Override
            public void setReadListener(ReadListener listener) {
                whole.setReadListener(listener);
            }
        };
    }
}
